/**
 * What a rehearsal says a message comes to is what it comes to: thirty messages to people, groups and cohorts drawn by lot, in a whole fleet
 * against the stand-ins. Some are sent while it is night where most people live: the clocks on people's walls are moved. How long the machine
 * takes is not asserted: the range is the fleet's own, and it is counted how often that held, by those clocks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ForecastReport,
  isOver,
  type MessageInput,
  type Plan,
  type ReceiptView,
  type RehearsalView,
  shardNames,
} from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import { createWallClock, type WallClock } from '@courier-fleet/launch'
import { callShardForward, keys, writeSettings } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { areAllHeld } from '@courier-fleet/words'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { studentsOf } from './roster.ts'

const messages = 30
const minuteMs = 60_000
const quiet = { from: '22:00', to: '08:00' }
/** It is quiet nowhere by day, and in Samara, Moscow and Kaliningrad by night. Both are of one date in every zone, for the cap counts by the day. */
const day = '2027-06-01T09:00:00Z'
const night = '2027-06-01T03:30:00Z'
const tariffs = {
  currency: 'RUB',
  prices: [
    { prefix: '+7', perPart: 2_150_000 },
    { prefix: '+790010000', perPart: 1_990_001 },
  ],
}

/** the same every time */
function lots(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

describe('a forecast, and what happens', () => {
  let server: OwnRedis
  let redis: Redis
  let dir: string
  let clock: WallClock
  let fleet: Fleet
  let shards: string[] = []
  const everyone = studentsOf('all-students')
  const groups = [...new Set(everyone.flatMap((each) => each.groups))].sort()

  before(async () => {
    server = await ownRedis()
    redis = server.redis()
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-forecast-'))
    clock = createWallClock(dir)
    clock.moveTo(day)
    fleet = await startFleet({ redis: server, wallClock: clock })
    // who has had seven in a day gets no more
    const caps = [{ n: 7, per: 'P1D', over: 'drop' as const }]
    const stored = { tariffs, caps, quiet, quietJitterSeconds: 0 }
    const version = await writeSettings(redis, { expected: 0, by: 'admin', stored })
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

  /** What the clocks on the walls show now at this moment of the fleet, Unix ms. */
  const onWalls = (at: string) => Date.parse(at) + Date.parse(day) - clock.realTimeOf(day)

  const neverIn = ({ never }: Plan) =>
    Object.fromEntries(never.flatMap(({ why, people }) => (why === 'no-contact' ? [] : [[why, people]])))

  /** Until when each of them waits, on whichever channel is the first. */
  const waitsIn = (rows: readonly ReceiptView[]) =>
    new Map(
      rows.flatMap(({ person, channels }) => {
        const [first] = Object.values(channels)
          .flatMap(({ waiting }) => (waiting?.cause === 'quiet' ? [waiting.at] : []))
          .sort()
        return first === undefined ? [] : [[person, first] as const]
      }),
    )
  const wasSent = (row: ReceiptView) => ['delivered', 'sentToChat', 'handedOver'].includes(classOf(row))
  /** how many until when */
  const rowsOf = (ats: readonly string[]) =>
    [...new Set(ats)].sort().map((at) => `${ats.filter((each) => each === at).length} until ${at}`)
  /** the same, of a plan: whoever is held is in a wave, and waves are due at full minutes */
  const heldIn = ({ later }: Plan) =>
    later.map(({ at, people, cause }) => {
      expect(cause).to.equal('quiet')
      return `${people} until ${new Date(Math.ceil(Date.parse(at) / minuteMs) * minuteMs).toISOString()}`
    })

  /** Sends it, and has morning come to whoever is held. @returns who was held and then sent it, and when its end was on the walls */
  async function sendThroughNight(message: MessageInput) {
    const key = await fleet.api.send(message)
    const asWas = await until(async () => {
      const history = await fleet.api.history(key)
      return (isOver(history) || areAllHeld(history)) && history
    }, 'whoever is not held is through')
    const waits = isOver(asWas) ? new Map<string, string>() : waitsIn(await fleet.api.receipts(key))
    const [last] = [...waits.values()].sort().reverse()
    if (last !== undefined) {
      // nights end at full minutes of the walls, and are held until the next of the fleet
      clock.moveTo(new Date(Math.floor(onWalls(last) / minuteMs) * minuteMs).toISOString())
      for (const shard of shards) await callShardForward(redis, shard)
    }
    const { settled, history } = await fleet.api.track(key)
    expect(settled, JSON.stringify(history)).to.equal(true)
    const got = (await fleet.api.receipts(key)).filter(wasSent).map(({ person }) => person)
    return {
      history,
      held: got.flatMap((person) => waits.get(person) ?? []),
      endedMs: onWalls(history.settledAt ?? ''),
    }
  }

  function drawn(draw: (below: number) => number, index: number): MessageInput {
    const some = (from: readonly string[], count: number) =>
      Array.from({ length: count }, () => from[draw(from.length)] as string)
    const people = some(
      everyone.map(({ id }) => `user:${id}`),
      1 + draw(40),
    )
    const ofGroups = some(
      groups.map((id) => `group:${id}`),
      draw(4),
    )
    const channels = [undefined, ['sms'], ['telegram', 'sms'], ['vk', 'sms']][draw(4)]
    return {
      to: [...new Set([...people, ...ofGroups])],
      text: `Сообщение ${index}. ${'ж'.repeat(draw(200))}`,
      class: (['urgent', 'normal', 'bulk'] as const)[draw(3)] ?? 'normal',
      ...(channels ? { channels } : {}),
    }
  }

  it(`are the same: reach, cost and who is held of ${messages} messages exactly, and the end within the range that was stated`, async () => {
    // whoever has blocked us is found out, and the fleet sees how fast it is
    await fleet.api.deliver({ to: ['cohort:all-students'], text: 'Первое' })
    await fleet.api.deliver({ to: groups.slice(0, 2).map((id) => `group:${id}`), text: 'Второе' })
    const draw = lots(20_260_901)
    let suppressed = 0
    let nights = 0
    let within = 0
    let kept = 0
    let foreseen = 0
    for (let index = 0; index < messages; index += 1) {
      const message = drawn(draw, index)
      clock.moveTo(draw(4) === 0 ? night : day)
      const rehearsed = await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', message)
      const plan = rehearsed.body.plan as Plan
      const aheadMs = onWalls(plan.asOf) - Date.parse(plan.asOf)
      const { history, held, endedMs } = await sendThroughNight({ ...message, forecast: true })
      const { forecast, actual } = await fleet.api.get<ForecastReport>(`/v1/histories/${history.key}/forecast`)
      const what = JSON.stringify({ index, message, plan, actual })
      for (const said of [plan.forecast, forecast]) {
        const people = (of: Record<string, { people: number }> = {}) =>
          Object.fromEntries(Object.entries(of).map(([channel, each]) => [channel, each.people]))
        expect(people(said?.channels), what).to.deep.equal(people(actual.channels))
        expect(said?.cost, what).to.deep.equal(actual.cost)
      }
      expect(history.people?.why, what).to.deep.equal(neverIn(plan))
      expect(rowsOf(held), what).to.deep.equal(heldIn(plan))
      expect(heldIn(history.plan as Plan), what).to.deep.equal(heldIn(plan))
      expect(history.people?.withoutContact, what).to.equal(
        plan.never.find(({ why }) => why === 'no-contact')?.people ?? 0,
      )
      const { finish, channels = {} } = forecast ?? {}
      // a courier that has stood still for two seconds may be gone
      if (!finish)
        expect(
          Object.values(channels).map(({ unknown }) => unknown),
          what,
        ).to.include('no-courier')
      if (finish) foreseen += 1
      const { from = '', to = '' } = finish ?? {}
      suppressed += history.people?.notDelivered ?? 0
      nights += held.length > 0 ? 1 : 0
      within += endedMs >= Date.parse(from) + aheadMs && endedMs <= Date.parse(to) + aheadMs ? 1 : 0
      kept += actual.isWithin ? 1 : 0
    }
    expect(suppressed, 'some have had enough').to.be.greaterThan(0)
    expect(nights, 'some had people who were held').to.be.at.least(3)
    expect(foreseen, 'an end was foretold').to.be.at.least(messages / 2)
    expect(within, 'ended within the range').to.be.at.least(foreseen - 3)
    const { record } = (await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', { to: ['group:ivt-101'] }))
      .body
    // by the clocks of the fleet a message whose people were held has ended hours too soon
    expect(record).to.deep.equal({ of: foreseen, within: kept })
  })
})
