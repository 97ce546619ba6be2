/** What the replay of a message says of the fleet meanwhile, as the timekeeper has noted it. */
import { parseHistoryKey, type ReplayHead } from '@courier-fleet/api-types'
import { keys, noteHappened } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('the marks of a replay', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  it('are what was of its channels, or of the whole fleet, while it went out', async () => {
    const key = await fleet.settledBySms('ddd')
    const startedMs = Date.now() - 60_000
    await fleet.redis.hset(keys.history(parseHistoryKey(key)), { started: startedMs, settled: startedMs + 30_000 })
    const note = (what: Parameters<typeof noteHappened>[1]['what'], of: string, sinceStart: number) =>
      noteHappened(fleet.redis, { what, of, since: startedMs + sinceStart })
    await note('slow-down-over', 'sms', -1_000)
    await note('slow-down-over', 'vk', 1_000)
    await note('process-ended', 'courier-sms-3', -5_001)
    await note('process-ended', 'courier-sms-4', -4_000)
    await note('process-ended', 'courier-sms-2', 2_000)
    await note('process-restarted', 'courier-sms-1', 3_000)
    await note('process-ended', 'courier-vk-1', 4_000)
    await note('process-ended', 'queue-1', 4_000)
    await note('redis-away', '', -2_000)
    await note('redis-away', '', 5_000)
    await note('alarm-over', 'stuck:sms', 6_000)
    await note('slow-down-over', 'sms', 30_001)
    const { status, json } = await fleet.ask<string>(`GET /v1/histories/${key}/replay`, { as: 'trainer' })
    expect(status).to.equal(200)
    const { marks } = JSON.parse(json.split('\n', 1)[0] as string) as ReplayHead
    expect(marks).to.deep.equal([
      { at: -4_000, what: 'process-gone', channel: 'sms' },
      { at: -1_000, what: 'slow-down', channel: 'sms' },
      { at: 2_000, what: 'process-gone', channel: 'sms' },
      { at: 3_000, what: 'process-gone', channel: 'sms' },
      { at: 5_000, what: 'redis-away' },
    ])
  })
})
