/** That the owner of an endpoint is told when it is switched off: over other channels, once, and by whoever comes next after a crash. */
import { type HistoryView, shardNames, systemSender } from '@courier-fleet/api-types'
import { createDirectory } from '@courier-fleet/directory'
import { silentLog, systemClock } from '@courier-fleet/process'
import { createHistories, joinFleet, keys } from '@courier-fleet/store'
import { endpointOf, forgetBreaker, switchOff } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import type { Courier, Envelope, Outcome } from '../../src/courier.ts'
import { createTellOwner, type TellOwner } from '../../src/tell-owner.ts'
import { createFixture, envelope, type Fixture, itemTo, never } from './fixture.ts'

const day = 86_400_000
const { person: _anna, ...ofNobody } = envelope
const ofSender: Envelope = { ...ofNobody, of: 'dean' }

describe('an endpoint that is switched off', () => {
  let fixture: Fixture
  let tellOwner: TellOwner
  let told: () => Promise<HistoryView[]>
  let off: string

  beforeEach(async () => {
    fixture = await createFixture()
    const { redis, breakers } = fixture
    const shards = await joinFleet(redis)
    const histories = createHistories({ redis, shards })
    const directory = createDirectory({ redis, country: 'RU' })
    await directory.putPerson({ id: 'anna', name: 'Anna', role: 'student', language: 'en', timeZone: 'Asia/Omsk' })
    await directory.putPerson({ id: 'dean', name: 'Декан', role: 'staff', language: 'ru', timeZone: 'Europe/Moscow' })
    const about = { shards, clock: systemClock, log: silentLog }
    tellOwner = createTellOwner({ ...about, breakers, directory, histories })
    told = async () => {
      const found: HistoryView[] = []
      for (const shard of shardNames(shards))
        for (const [, [, id = '']] of await redis.xrange(keys.sent(shard, systemSender), '-', '+')) {
          const snapshot = await histories.snapshot({ shard, sender: systemSender, id })
          if (snapshot) found.push(await histories.view(snapshot))
        }
      return found
    }
    off = fixture.urlOf('error')
  })
  afterEach(() => fixture.stop())

  /** Has it failed for five days already: the next failure switches it off. */
  const failingSince = (of: string, sinceMs: number) =>
    fixture.redis.hset(keys.breaker('http', endpointOf(of, off)), { since: sinceMs, at: sinceMs, row: 1 })
  const send = async (courier: Courier, to: Envelope, query = ''): Promise<Outcome> =>
    (await courier.send([itemTo(`${off}${query}`, { envelope: to })], never))[0] as Outcome

  it('is told to the person whose it is, over their other channels, with what to do', async () => {
    const since = Date.UTC(2024, 8, 1, 9, 30)
    await failingSince('person:anna', since)
    const outcome = await send(fixture.courier({}, { tellOwner }), envelope)
    expect(outcome).to.include({ kind: 'rejected', class: 'deactivated' })
    const [message, ...more] = await told()
    expect(more).to.deep.equal([])
    expect(message).to.deep.include({ to: ['user:anna'] })
    expect(message?.type?.id).to.equal('service')
    expect(Object.keys(message?.channels ?? {})).to.not.include('http')
    const { host } = new URL(off)
    expect(message?.text).to.equal(
      `Your messages are not posted to ${host} any more: every call has failed since 1 September 2024 at 15:30. ` +
        'When it works again, have an administrator link it anew, or link another address.',
    )
  })

  it('is told once to a sender who named it, though all processes see it at once, and again when it fails again', async () => {
    const couriers = Array.from({ length: 4 }, () => fixture.courier({}, { tellOwner }))
    const sendAll = () => Promise.all(couriers.map((courier, i) => send(courier, ofSender, `?call=${i}`)))
    await failingSince('dean', Date.now() - 6 * day)
    await sendAll()
    await sendAll()
    const [message, ...more] = await told()
    expect(more).to.deep.equal([])
    expect(message).to.deep.include({ to: ['user:dean'] })
    expect(message?.text).to.match(/^Ваши сообщения больше не отправляются на 127\.0\.0\.1:\d+: .*endpoints:enable/)

    await forgetBreaker(fixture.redis, endpointOf('dean', off))
    await failingSince('dean', Date.now() - 6 * day)
    await sendAll()
    expect(await told()).to.have.lengthOf(2)
  })

  it('is told by whoever meets it next where the one that switched it off was killed; once, by several at once', async () => {
    await failingSince('dean', Date.now() - 6 * day)
    const killed = createTellOwnerThatFails()
    expect(await send(fixture.courier({}, { tellOwner: killed }), ofSender), 'not given up').to.include({
      kind: 'not-taken',
    })
    expect(await told()).to.deep.equal([])
    const again = await send(fixture.courier({}, { tellOwner: killed }), ofSender)
    expect(again, 'not given up').to.include({ kind: 'not-taken', wasAsked: false })
    const couriers = Array.from({ length: 4 }, () => fixture.courier({}, { tellOwner }))
    for (const outcome of await Promise.all(couriers.map((courier) => send(courier, ofSender))))
      expect(outcome).to.include({ kind: 'rejected', class: 'deactivated' })
    await send(fixture.courier({}, { tellOwner: killed }), ofSender)
    expect(await told()).to.have.lengthOf(1)
  })

  it('by hand is told only where somebody else did it, and what is for it fails', async () => {
    const courier = fixture.courier({}, { tellOwner })
    const given = { kind: 'rejected', class: 'deactivated' }
    expect(await switchOff(fixture.redis, endpointOf('dean', off), 'host', true)).to.equal(true)
    expect(await switchOff(fixture.redis, endpointOf('dean', off), 'host', false), 'it is off').to.equal(false)
    const outcome = await send(courier, ofSender)
    expect(outcome).to.include(given)
    expect(outcome)
      .to.have.property('detail')
      .that.matches(/^switched off since 20\S+Z: by hand$/)
    expect(await told()).to.deep.equal([])

    await switchOff(fixture.redis, endpointOf('person:anna', off), 'host', false)
    for (const _twice of [1, 2]) expect(await send(courier, envelope)).to.include(given)
    const [message, ...more] = await told()
    expect(more).to.deep.equal([])
    expect(message?.text)
      .to.match(/^Your messages are not posted to 127\.0\.0\.1:\d+ any more: it was switched off by hand, \d+ /)
      .and.match(/have an administrator link it anew, or link another address\.$/)
  })

  it('is told to nobody where its sender is no person, and stays off', async () => {
    await failingSince('lms', Date.now() - 6 * day)
    const courier = fixture.courier({}, { tellOwner })
    expect((await send(courier, { ...ofSender, of: 'lms' })).kind).to.equal('rejected')
    expect((await send(courier, { ...ofSender, of: 'lms' })).kind).to.equal('rejected')
    expect(await told()).to.deep.equal([])
  })
})

const createTellOwnerThatFails = (): TellOwner => async () => {
  throw new Error('killed')
}
