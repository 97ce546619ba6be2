/** How long somebody waits who asks what came of a week of messages, of many types. */

import { reasonBytes, receiptBytes, shardNames } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { createStats, hourMs, joinFleet, keys } from '@courier-fleet/store'
import type { Bench, Case } from '../case.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { percentile } from '../statistics.ts'

const types = 30
const days = 7
const asks = 20
/** what comes of people on each channel, as the scripts count it */
const states = [
  '0',
  ...(['sent', 'delivered', 'failed', 'unknown', 'expired'] as const).map((state) =>
    String.fromCharCode(receiptBytes[state]),
  ),
  `${String.fromCharCode(receiptBytes.suppressed)}:${String.fromCharCode(reasonBytes['opted-out'])}`,
]

const first = 'the first after a start, by type'
const byType = 'by type, p99'
const byHour = 'by type and hour, p99'

/** As the hashes of an hour stand in every shard; the numbers say nothing. */
function fieldsOf(hour: number): Record<string, number> {
  const fields: Record<string, number> = { '::normal:0.1': 1000, '::normal:us': 4_000_000 }
  for (let number = 0; number < types; number += 1) {
    const type = `type-${number}`
    fields[`${type}::accepted`] = 1 + (hour % 7)
    fields[`${type}::accepted-to`] = 100
    for (const channel of channelNames) for (const state of states) fields[`${type}:${channel}:${state}`] = 10
  }
  return fields
}

async function fill({ server, say }: Bench, endHour: number): Promise<void> {
  const shards = await joinFleet(server.redis)
  for (let hour = endHour - days * 24; hour < endHour; hour += 1) {
    const fields = fieldsOf(hour)
    await Promise.all(shardNames(shards).map((shard) => server.redis.hset(keys.stats(shard, hour), fields)))
  }
  // as timekeepers have had them summed, each day those that were over
  await createStats({ redis: server.redis, shards: shardNames(shards) }).hours(endHour - days * 24, endHour)
  say(`${types} types, ${channelNames.length} channels, ${days} days in ${shards} shards`)
}

async function ask(fleet: Fleet, by: string, fromMs: number): Promise<number> {
  const { ms } = await fleet.api.read(`/v1/stats?from=${new Date(fromMs).toISOString()}&by=${by}`)
  return ms
}

async function measureStats(bench: Bench): Promise<void> {
  await bench.clear()
  const endHour = Math.floor(Date.now() / hourMs)
  const fromMs = (endHour - days * 24) * hourMs
  await fill(bench, endHour)
  const fleet = await startFleet({ server: bench.server, couriers: {} })
  try {
    bench.record.ours(first, await ask(fleet, 'type', fromMs))
    for (const [metric, by] of [
      [byType, 'type'],
      [byHour, 'type,hour'],
    ] as const) {
      const took: number[] = []
      for (let n = 0; n < asks; n += 1) took.push(await ask(fleet, by, fromMs))
      bench.record.ours(metric, percentile(took, 0.99))
    }
  } finally {
    await fleet.stop()
  }
}

export const stats: Case = {
  name: 'stats',
  title: 'What came of a week',
  about: `\`GET /v1/stats\` of ${days} days with ${types} types on ${channelNames.length} channels, ${states.length} states each, in every hour of every shard, written as the scripts count it and summed as the timekeeper does; asked ${asks} times by type, and by type and
hour. The first answer after a start reads what the timekeeper has summed; later ones remember it.`,
  maxRuns: 3,
  metrics: {
    [first]: { unit: 'ms', target: { most: 300 } },
    [byType]: { unit: 'ms', target: { most: 300 } },
    [byHour]: { unit: 'ms', target: { most: 300 } },
  },
  plots: [],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}`)
      await measureStats(bench)
    }
  },
}
