import { mail } from '@courier-fleet/channels'
import { throwMany, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, type Fixture, itemTo, never } from './fixture.ts'

describe('the mail courier', () => {
  let fixture: Fixture
  let lastPerson = 0
  const person = () => mail.address.madeUp(lastPerson++)

  before(async () => {
    fixture = await createFixture()
  })
  after(() => fixture.stop())
  afterEach(() => fixture.world.clearFaults())

  async function started(settings: Record<string, string> = {}) {
    const courier = fixture.courier(settings)
    await courier.start(never)
    return courier
  }
  const sendOne = async (address: string, courier = started()) =>
    (await (await courier).send([itemTo(address)], never))[0]

  it('knows that nothing was sent when the connection is cut before the message is asked for', async () => {
    const address = person()
    fixture.world.addFault({ channel: 'mail', kind: 'disconnect', count: 1 })
    const outcome = await sendOne(address)
    expect(outcome?.kind).to.equal('not-sent')
    expect(fixture.world.accepted.filter((each) => each.address === address)).to.deep.equal([])
  })

  it('knows nothing when the connection is cut after the message: it may have been taken', async () => {
    const address = person()
    fixture.world.addFault({ channel: 'mail', kind: 'reply-lost', count: 1 })
    const outcome = await sendOne(address)
    expect(outcome).to.deep.include({ kind: 'unknown' })
    expect(fixture.world.accepted.filter((each) => each.address === address)).to.have.length(1)
  })

  it('waits out greylisting, for this recipient alone', async () => {
    fixture.world.addFault({ channel: 'mail', kind: 'throttle', count: 1 })
    expect(await sendOne(person())).to.deep.equal({
      kind: 'throttled',
      scope: 'recipient',
      retryAfterMs: 300_000,
      reason: '451 4.7.1 greylisted, try again later',
    })
  })

  it('goes on with the same connection after a refusal', async () => {
    const courier = await started({ MAIL_CONNECTIONS: '1' })
    const [nobody, somebody] = [person(), person()]
    fixture.world.setPhone({ channel: 'mail', address: nobody, state: 'unknown' })
    const outcomes = await courier.send([itemTo(nobody), itemTo(somebody)], never)
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['rejected', 'sent'])
  })

  it('sends nothing to what is no address', async () => {
    for (const address of ['a@b', 'x@mail.example\r\nRCPT TO:<y@mail.example>', 'Upper@mail.example'])
      expect(await sendOne(address)).to.deep.include({ kind: 'rejected', class: 'invalid' })
  })

  it('says at start that the credentials are refused', async () => {
    const { host, port } = fixture.server.endpoint
    const error = await started({ MAIL_SMTP_URL: `smtp://fleet:wrong@${host}:${port}` }).catch(
      (reason: Error) => reason,
    )
    expect((error as Error).message).to.equal('the mail server refuses the credentials in MAIL_SMTP_URL (535)')
  })

  it('waits at start for a server that is away, until it is told not to', async () => {
    const abort = new AbortController()
    const starting = fixture
      .courier({ MAIL_SMTP_URL: 'smtp://fleet:x@127.0.0.1:9' })
      .start(abort.signal)
      .catch((reason: Error) => reason.name)
    abort.abort()
    expect(await starting).to.equal('AbortError')
  })

  describe('bounces', () => {
    it('are matched to their messages, each of them by any process of the account', async () => {
      const [first, second] = [await started(), await started()]
      const address = person()
      fixture.world.addFault({ channel: 'mail', kind: 'reports', mode: 'failed', count: 1 })
      const [outcome] = await second.send([itemTo(address)], never)
      await until(() => fixture.receipts.length > 0, 'the bounce is reported')
      const reason = '5.2.2: 552 5.2.2 the mailbox is full'
      const providerId = outcome?.kind === 'sent' ? outcome.providerId : ''
      expect(fixture.receipts.splice(0)).to.deep.equal([{ providerIds: [providerId], state: 'failed', reason }])

      await first.stop()
      fixture.world.addFault({ channel: 'mail', kind: 'reports', mode: 'twice', count: 1 })
      await second.send([itemTo(address)], never)
      await until(() => fixture.receipts.length === 2, 'whoever stood by takes them')
      fixture.receipts.splice(0)
      await second.stop()
    })

    it('are taken after any other bytes', async () => {
      const courier = await started()
      const port = fixture.server.endpoint.bouncePort
      const samples = [
        'EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<bounce+x@a>\r\nDATA\r\na\r\n.\r\n',
        'GET // HTTP/1.1\r\n\r\n',
      ]
      await throwMany(
        { port },
        samples.map((each) => Buffer.from(each)),
        100,
      )
      fixture.world.addFault({ channel: 'mail', kind: 'reports', mode: 'failed', count: 1 })
      await courier.send([itemTo(person())], never)
      await until(() => fixture.receipts.length > 0, 'the bounce is reported')
    })
  })
})
