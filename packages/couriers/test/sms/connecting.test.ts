import { silentLog } from '@courier-fleet/process'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item } from '../../src/courier.ts'
import { createFixture, type Fixture, item, never, password, phone } from './fixture.ts'

describe('SMS by SMPP: connecting', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture('SMPP')
  })
  afterEach(() => fixture.stop())

  const rejection = async (promise: Promise<unknown>): Promise<Error> => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Error)) throw new Error('it did not fail')
    return error
  }

  it('does not start with credentials that the SMS centre refuses', async () => {
    const url = (fixture.env.SMS_SMPP_URL ?? '').replace(password, 'wrong')
    const error = await rejection(fixture.courier({ SMS_SMPP_URL: url }).start(never))
    expect(error.message).to.equal('the bind was refused: ESME_RINVPASWD')
  })

  it('waits at start for an SMS centre that is away, until it is told not to', async () => {
    const abort = new AbortController()
    await fixture.smsc.stop()
    const { port } = fixture.smsc.endpoint
    const starting = fixture.courier().start(never)
    const givingUp = rejection(fixture.courier().start(abort.signal))
    abort.abort()
    await givingUp
    const back = await startStandIn({ world: fixture.world, ports: { smpp: port }, password, log: silentLog })
    await starting
    await back.stop()
  })

  it('says "later" while the SMS centre is away, and sends when it is back', async () => {
    const courier = fixture.courier()
    await courier.start(never)
    await fixture.smsc.stop()
    const kindOf = async (message: Item) => (await courier.send([message], never))[0]?.kind
    // the first ones may still leave on the dying connection
    const away = await until(async () => {
      const kind = await kindOf(item(phone(0)))
      return kind !== 'unknown' && kind
    }, 'it is known that the centre is gone')
    expect(away).to.equal('not-sent')
    const back = await startStandIn({
      world: fixture.world,
      ports: { smpp: fixture.smsc.endpoint.port },
      password,
      log: silentLog,
    })
    const again = item(phone(1))
    const kind = await until(async () => {
      const told = await kindOf(again)
      return told !== 'not-sent' && told
    }, 'it is connected again')
    expect(kind).to.equal('sent')
    expect(fixture.world.accepted).to.have.length(1)
    await courier.stop()
    await back.stop()
  })

  it('lets two processes bind side by side, each with its own receipts', async () => {
    const [first, second] = [fixture.courier(), fixture.courier()]
    await Promise.all([first.start(never), second.start(never)])
    const items = Array.from({ length: 60 }, (_, i) => item(phone(i)))
    const outcomes = (
      await Promise.all([first.send(items.slice(0, 30), never), second.send(items.slice(30), never)])
    ).flat()
    const ids = outcomes.map((outcome) => (outcome.kind === 'sent' ? outcome.providerId : outcome.kind))
    expect(new Set(ids).size).to.equal(60)
    await until(() => fixture.receipts.length === 60, 'all receipts came')
    expect(new Set(fixture.receipts.map(({ providerIds }) => providerIds[0]))).to.deep.equal(new Set(ids))
  })
})
