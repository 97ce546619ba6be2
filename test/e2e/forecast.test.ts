/**
 * What a rehearsal says a message comes to is what it comes to: thirty messages to people, groups and cohorts drawn by lot, in a whole fleet
 * against the stand-ins. How long the machine takes is not asserted: the range is the fleet's own, and it counts how often that held.
 */
import type { ForecastReport, MessageInput, Plan, RehearsalView } from '@courier-fleet/api-types'
import { keys, writeSettings } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { studentsOf } from './roster.ts'

const messages = 30
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
  let fleet: Fleet
  const everyone = studentsOf('all-students')
  const groups = [...new Set(everyone.flatMap((each) => each.groups))].sort()

  before(async () => {
    server = await ownRedis()
    fleet = await startFleet({ redis: server })
    const redis = server.redis()
    // who has had seven in a day gets no more
    const stored = { tariffs, caps: [{ n: 7, per: 'P1D', over: 'drop' as const }] }
    const version = await writeSettings(redis, { expected: 0, by: 'admin', stored })
    const processes = fleet.names.filter((name) => /^(courier|queue)/.test(name))
    const versions = () => Promise.all(processes.map((name) => redis.hget(keys.process(name), 'settings')))
    await until(async () => (await versions()).every((each) => each === String(version)), 'all processes know')
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
  })

  const neverIn = ({ never }: Plan) =>
    Object.fromEntries(never.flatMap(({ why, people }) => (why === 'no-contact' ? [] : [[why, people]])))

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

  it(`are the same: reach and cost of ${messages} messages exactly, and the end within the range that was stated`, async () => {
    // whoever has blocked us is found out, and the fleet sees how fast it is
    await fleet.api.deliver({ to: ['cohort:all-students'], text: 'Первое' })
    await fleet.api.deliver({ to: groups.slice(0, 2).map((id) => `group:${id}`), text: 'Второе' })
    const draw = lots(20_260_901)
    let suppressed = 0
    let within = 0
    for (let index = 0; index < messages; index += 1) {
      const message = drawn(draw, index)
      const { plan } = (await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', message)).body
      const { history } = await fleet.api.deliver({ ...message, forecast: true })
      const { forecast, actual } = await fleet.api.get<ForecastReport>(`/v1/histories/${history.key}/forecast`)
      const what = JSON.stringify({ index, message, plan, actual })
      for (const said of [plan.forecast, forecast]) {
        const people = (of: Record<string, { people: number }> = {}) =>
          Object.fromEntries(Object.entries(of).map(([channel, each]) => [channel, each.people]))
        expect(people(said?.channels), what).to.deep.equal(people(actual.channels))
        expect(said?.cost, what).to.deep.equal(actual.cost)
      }
      expect(history.people?.why, what).to.deep.equal(neverIn(plan))
      expect([plan.later, history.people?.withoutContact], what).to.deep.equal([
        [],
        plan.never.find(({ why }) => why === 'no-contact')?.people ?? 0,
      ])
      expect(forecast?.finish, what).not.to.equal(undefined)
      suppressed += history.people?.notDelivered ?? 0
      within += actual.isWithin ? 1 : 0
    }
    expect(suppressed, 'some have had enough').to.be.greaterThan(0)
    expect(within, 'ended within the range').to.be.at.least(messages - 3)
    const { record } = (await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', { to: ['group:ivt-101'] }))
      .body
    expect(record).to.deep.equal({ of: messages, within })
  })
})
