/**
 * What a rehearsal says is what happens, person by person: to 306 people in seven zones, of whom some are up and the others are sent to as
 * morning comes to them. The clocks on people's walls are moved; which hour it is where stands here by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Acceptance, type Plan, type RehearsalView, shardNames } from '@courier-fleet/api-types'
import { createWallClock, type WallClock } from '@courier-fleet/launch'
import { callShardForward, keys, writeSettings } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { areAllHeld } from '@courier-fleet/words'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, type Student, studentsOf } from './roster.ts'

/** When their night from 22:00 to 08:00 ends that it is at half past midnight in UTC; in Vladivostok it is half past ten by then. */
const night = '2027-06-01T00:30:00Z'
const opens: Readonly<Record<string, string>> = {
  'Asia/Vladivostok': '2027-06-01T00:30',
  'Asia/Novosibirsk': '2027-06-01T01:00',
  'Asia/Omsk': '2027-06-01T02:00',
  'Asia/Yekaterinburg': '2027-06-01T03:00',
  'Europe/Samara': '2027-06-01T04:00',
  'Europe/Moscow': '2027-06-01T05:00',
  'Europe/Kaliningrad': '2027-06-01T06:00',
}
const channels = ['vk', 'sms'] as const

describe('a plan, and what happens', () => {
  let server: OwnRedis
  let redis: Redis
  let dir: string
  let clock: WallClock
  let fleet: Fleet
  let shards: string[] = []
  const everyone = studentsOf('all-students')
  const hasContact = ({ contacts }: Student) => channels.some((channel) => contacts[channel] !== undefined)
  const opensAt = ({ timeZone }: Student) => opens[timeZone] as string

  before(async () => {
    server = await ownRedis()
    redis = server.redis()
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-plan-'))
    clock = createWallClock(dir)
    fleet = await startFleet({ redis: server, wallClock: clock, couriers: { telegram: 0 } })
    const quiet = { from: '22:00', to: '08:00' }
    const version = await writeSettings(redis, { expected: 0, by: 'admin', stored: { quiet, quietJitterSeconds: 0 } })
    const processes = fleet.names.filter((name) => /^(courier|queue)/.test(name))
    const versions = () => Promise.all(processes.map((name) => redis.hget(keys.process(name), 'settings')))
    await until(async () => (await versions()).every((each) => each === String(version)), 'all processes know')
    shards = shardNames(Number(await redis.hget(keys.fleet, 'shards')))
    const rules = () => Promise.all(shards.map((shard) => redis.get(keys.heldRules(shard))))
    await until(async () => (await rules()).every((each) => each?.endsWith(' applied')), 'the hours hold')
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** The clocks on the walls show this time, and everybody who waits is decided anew by them. */
  async function moveTo(moment: string): Promise<void> {
    clock.moveTo(moment)
    for (const shard of shards) await callShardForward(redis, shard)
  }
  /** As the clocks on the walls have it. */
  const wallTime = (at: string) => {
    const aheadMs = Date.parse('2030-01-01') - clock.realTimeOf('2030-01-01')
    return new Date(Math.round((Date.parse(at) + aheadMs) / 60_000) * 60_000).toISOString().slice(0, 16)
  }
  const told = ({ now, later, never }: Plan) => ({
    now,
    later: later.map(({ at, people, cause }) => `${people} ${cause} ${wallTime(at)}`),
    never,
  })
  const took = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))

  it('agree, person by person', async () => {
    expect(everyone).to.have.length(306)
    expect([...new Set(everyone.map(opensAt))].sort()).to.deep.equal(Object.values(opens))
    await moveTo(night)
    const message = { to: ['cohort:all-students'], text: 'по плану', channels }
    const rehearsed = (await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', message)).body.plan as Plan
    const [first = '', ...mornings] = Object.values(opens)
    const peopleAt = (at: string) => everyone.filter((each) => hasContact(each) && opensAt(each) === at).length
    expect(told(rehearsed)).to.deep.equal({
      now: peopleAt(first),
      later: mornings.map((at) => `${peopleAt(at)} quiet ${at}`),
      never: [{ people: everyone.filter((each) => !hasContact(each)).length, why: 'no-contact' }],
    })

    const { key, plan } = (await fleet.api.call<Acceptance>('POST', '/v1/messages', message)).body
    expect(plan && told(plan)).to.deep.equal(told(rehearsed))
    for (const at of [first, ...mornings]) {
      if (at !== first) await moveTo(`${at}:00Z`)
      const upBy = everyone.filter((each) => opensAt(each) <= at)
      const expected = goodContacts(upBy, channels)
      await until(async () => (await took(message.text)).length >= expected.length, `those who are up by ${at}`)
      const waiting = everyone.filter((each) => hasContact(each) && opensAt(each) > at).length
      // whoever was decided anew is in a wave again: only those does the next move call forward
      const areHeldAgain = async () => {
        const history = await fleet.api.history(key)
        return history.people?.pending === waiting && (waiting === 0 || areAllHeld(history))
      }
      await until(areHeldAgain, `the others wait at ${at}`)
      expect(await took(message.text), at).to.deep.equal(expected)
    }
    const { settled, history } = await fleet.api.track(key)
    expect([settled, history.people?.withoutContact]).to.deep.equal([true, rehearsed.never[0]?.people])
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })
})
