import { until } from '@courier-fleet/testkit'
import type { BigInteger } from 'big-integer'
import { expect } from 'chai'
import { Api } from 'telegram'
import { type Fixture, startFixture } from './fixture.ts'
import { connectRawClient, type RawClient, refusalOf, sendMessage } from './raw-client.ts'

describe('telegram-dc: sending', () => {
  let fixture: Fixture
  let raw: RawClient
  let randomId = 0
  let userId = 1000

  before(async () => {
    fixture = await startFixture()
    raw = await connectRawClient(fixture.endpoint)
  })
  after(async () => {
    await raw.close()
    await fixture.stop()
  })
  afterEach(() => {
    fixture.world.clearFaults()
    fixture.world.limits.telegram = { perSecond: null, perChatPerSecond: null }
  })

  const person = () => String(++userId)
  const send = (address: string, text?: string) => raw.send(address, ++randomId, text)
  const acceptedBy = (address: string) => fixture.world.accepted.filter((entry) => entry.address === address)

  it('enters what it accepts into the World', async () => {
    const address = person()
    const { id } = await send(address, ' Занятие перенесено ')
    expect(acceptedBy(address)).to.have.length(1)
    expect(acceptedBy(address)[0]).to.include({
      channel: 'telegram',
      text: 'Занятие перенесено',
      key: String(randomId),
      providerId: String(id),
    })
  })

  it('answers a used random_id as it did the first time, in another session too', async () => {
    const address = person()
    const first = await send(address)
    const other = await connectRawClient(fixture.endpoint)
    for (const client of [raw, other]) expect((await client.send(address, randomId, 'anders')).id).to.equal(first.id)
    await other.close()
    expect(acceptedBy(address)).to.have.length(1)
  })

  const refusals: [string, (address: string) => Promise<unknown>][] = [
    ['USER_IS_BLOCKED', (address) => toPhone(address, 'blocked')],
    ['INPUT_USER_DEACTIVATED', (address) => toPhone(address, 'deactivated')],
    ['PEER_ID_INVALID', (address) => toPhone(address, 'unknown')],
    ['PEER_ID_INVALID', () => raw.call(withPeer(new Api.InputPeerSelf()))],
    ['MESSAGE_EMPTY', (address) => send(address, ' \n')],
    ['MESSAGE_TOO_LONG', (address) => send(address, 'ы'.repeat(4097))],
    ['RANDOM_ID_EMPTY', (address) => raw.send(address, 0)],
  ]
  for (const [text, attempt] of refusals) {
    it(`refuses with ${text}`, async () => {
      const address = person()
      expect(await refusalOf(attempt(address))).to.equal(text)
      expect(acceptedBy(address)).to.deep.equal([])
    })
  }
  const toPhone = (address: string, state: 'blocked' | 'deactivated' | 'unknown') => {
    fixture.world.setPhone({ channel: 'telegram', address, state })
    return send(address)
  }
  const withPeer = (peer: Api.TypeInputPeer) => Object.assign(sendMessage('1', ++randomId), { peer })

  it('takes 4096 characters', async () => {
    const address = person()
    await send(address, 'ы'.repeat(4096))
    expect(acceptedBy(address)[0]?.text).to.have.length(4096)
  })

  it('knows a user by the right access hash, and by none, but not by a wrong one', async () => {
    const address = person()
    const peer = sendMessage(address, 1).peer as Api.InputPeerUser
    const [user] = (await raw.call(new Api.users.GetUsers({ id: [peer as never] }))) as [Api.User]
    const withHash = (accessHash: BigInteger) =>
      raw.call(withPeer(new Api.InputPeerUser({ userId: user.id, accessHash })))
    await withHash(user.accessHash as BigInteger)
    expect(await refusalOf(withHash((user.accessHash as BigInteger).add(1)))).to.equal('PEER_ID_INVALID')
  })

  it('lets a chat have one message in so many seconds, whatever the others get', async () => {
    fixture.world.limits.telegram.perChatPerSecond = 1 / 600
    const address = person()
    await send(address)
    const error = await send(address).catch((error) => error)
    expect(error.seconds).to.be.within(300, 600)
    await send(person())
  })

  it('lets a bot send so many messages a second in all, and folds resends for nothing', async () => {
    fixture.world.limits.telegram.perSecond = 5
    const address = person()
    const begun = performance.now()
    await send(address)
    const resent = randomId
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => send(person())))
    const sent = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(sent).to.be.within(4, 5 + (5 * (performance.now() - begun)) / 1000)
    expect((await raw.send(address, resent)).id).to.be.greaterThan(0)
  })

  describe('faults', () => {
    it('throttle, for so many seconds', async () => {
      fixture.world.addFault({ channel: 'telegram', kind: 'throttle', seconds: 7, count: 1 })
      expect((await send(person()).catch((error) => error)).seconds).to.equal(7)
      await send(person())
    })

    it('reject, with the code asked for, only these addresses', async () => {
      const address = person()
      fixture.world.addFault({ channel: 'telegram', kind: 'reject', addresses: [address], code: 'CHAT_RESTRICTED' })
      expect(await refusalOf(send(address))).to.equal('CHAT_RESTRICTED')
      await send(person())
    })

    it('refuse-once: the first attempt with a random_id is blocked, the second accepted', async () => {
      const address = person()
      fixture.world.addFault({ channel: 'telegram', kind: 'refuse-once', addresses: [address] })
      const refused = ++randomId
      expect(await refusalOf(raw.send(address, refused))).to.equal('USER_IS_BLOCKED')
      expect(await refusalOf(raw.send(address, ++randomId))).to.equal('USER_IS_BLOCKED')
      await send(person())
      expect((await raw.send(address, refused)).id).to.be.greaterThan(0)
      expect(acceptedBy(address).map(({ key }) => key)).to.deep.equal([String(refused)])
    })

    it('hang: never answered and not accepted, while others are served', async () => {
      const [hung, fine] = [person(), person()]
      fixture.world.addFault({ channel: 'telegram', kind: 'hang', addresses: [hung] })
      let settled = false
      void send(hung).finally(() => {
        settled = true
      })
      const other = await connectRawClient(fixture.endpoint)
      await other.send(fine, ++randomId)
      await other.close()
      expect(settled).to.equal(false)
      expect(acceptedBy(hung)).to.deep.equal([])
    })

    for (const kind of ['disconnect', 'reply-lost'] as const) {
      it(`${kind}: the connection is cut, and the message ${kind === 'disconnect' ? 'not ' : ''}accepted`, async () => {
        const client = await connectRawClient(fixture.endpoint)
        let cut = false
        client.sender.reconnect = () => {
          cut = true
        }
        const address = person()
        fixture.world.addFault({ channel: 'telegram', kind, addresses: [address], count: 1 })
        void client.send(address, ++randomId).catch(() => {})
        await until(() => cut, 'the client has noticed')
        expect(acceptedBy(address)).to.have.length(kind === 'disconnect' ? 0 : 1)
        await client.close()
      })
    }
  })
})
