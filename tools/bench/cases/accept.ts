/** How many messages are taken in a second, validated, resolved to their people and safe in Redis. */
import type { Bench, Case } from '../case.ts'
import { startLoad } from '../load/load.ts'
import { jobData, messagesFor } from '../messages.ts'
import type { Api } from '../ours/api.ts'
import { startFleet } from '../ours/fleet.ts'
import { pendingCount } from '../ours/outstanding.ts'
import { number } from '../report/number.ts'
import { percentile } from '../statistics.ts'
import { startBullmq } from '../theirs/bullmq.ts'

const people = 1000
const singles = 8_000
const bulk = 40_000
const connections = 64
const tomorrow = () => Date.now() + 86_400_000

async function takeOurs(bench: Bench): Promise<void> {
  const { server, record, size } = bench
  await bench.clear([people])
  const fleet = await startFleet({ server, couriers: {} })
  const load = await startLoad()
  try {
    const one = await putSingly(fleet.api, load, size(singles))
    record.ours('PUT', (size(singles) / one.ms) * 1000)
    record.ours('PUT p50', percentile(one.latencies, 0.5))
    record.ours('PUT p99', percentile(one.latencies, 0.99))
    const dueAt = tomorrow
    const { ms } = await fleet.api.sendMany(messagesFor({ count: size(bulk), people, dueAt }))
    record.ours('bulk', (size(bulk) / ms) * 1000)
    const kept = await pendingCount(server.redis)
    if (kept !== size(singles) + size(bulk))
      record.spoil('ours', `${kept} of ${size(singles) + size(bulk)} messages are in Redis`)
  } finally {
    await load.stop()
    await fleet.stop()
  }
}

async function putSingly(api: Api, load: Awaited<ReturnType<typeof startLoad>>, count: number) {
  const target = { url: api.url, apiKey: api.key, connections }
  const keys = await load.call<string[]>('issue', { ...target, count })
  const messages = [...messagesFor({ count, people, dueAt: tomorrow })]
  return load.call<{ ms: number; latencies: number[] }>('put', { ...target, keys, messages })
}

async function takeTheirs(bench: Bench): Promise<void> {
  const { server, record, size } = bench
  await bench.clear()
  const bullmq = await startBullmq(server, 'accept')
  try {
    const at = tomorrow()
    const one = await bullmq.call<{ ms: number; latencies: number[] }>('addSingly', {
      first: 0,
      count: size(singles),
      data: jobData,
      at,
      concurrency: connections,
    })
    record.theirs('PUT', (size(singles) / one.ms) * 1000)
    record.theirs('PUT p50', percentile(one.latencies, 0.5))
    record.theirs('PUT p99', percentile(one.latencies, 0.99))
    const ms = await bullmq.call<number>('addMany', { first: size(singles), count: size(bulk), data: jobData, at })
    record.theirs('bulk', (size(bulk) / ms) * 1000)
    const { delayed } = await bullmq.call<{ delayed: number }>('counts')
    if (delayed !== size(singles) + size(bulk))
      record.spoil('theirs', `${delayed} of ${size(singles) + size(bulk)} jobs are in Redis`)
  } finally {
    await bullmq.stop()
  }
}

export const accept: Case = {
  name: 'accept',
  title: 'Taking messages',
  about: `Messages for one person each, due tomorrow, ${number(people)} people in turn. Ours: one queue process, asked over HTTP; each message is
authenticated, validated, its audience resolved and frozen, and answered once Redis has it. Singles are \`PUT\`s of issued keys over
${connections} connections; bulk is one NDJSON request. BullMQ: \`add\` (${connections} at a time) and \`addBulk\` (1000 jobs a call), called by the process that has the
data: no HTTP, no validation, no audience, no receipts.`,
  maxRuns: 5,
  metrics: {
    bulk: { unit: 'messages/s', target: { leastTimesTheirs: 3 }, note: 'beside addBulk' },
    PUT: { unit: 'messages/s', target: { least: 3000, leastTimesTheirs: 0.3 }, note: 'beside add' },
    'PUT p50': { unit: 'ms' },
    'PUT p99': { unit: 'ms', target: { most: 50, maxTimesTheirs: 3 } },
  },
  plots: [{ file: 'accept', kind: 'bars', title: 'Messages taken a second', metrics: ['bulk', 'PUT'] }],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}: ours`)
      await takeOurs(bench)
      bench.say(`run ${run} of ${bench.runs}: BullMQ`)
      await takeTheirs(bench)
    }
  },
}
