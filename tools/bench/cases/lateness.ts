/** How late messages start and arrive, with very many others waiting for their time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { numbers, troubleOf } from '../arrivals.ts'
import type { Bench, Case } from '../case.ts'
import type { Metric } from '../figures.ts'
import { jobData, messagesFor } from '../messages.ts'
import { startFleet } from '../ours/fleet.ts'
import { dueTimes, patienceMs, sendOnTime, spreadMs } from '../ours/on-time.ts'
import { number } from '../report/number.ts'
import { distribution, percentile } from '../statistics.ts'
import { startBullmq, workerConcurrency } from '../theirs/bullmq.ts'

const sizes = [0, 100_000, 1_000_000]
const people = 2000
const messages = 2000
const nextMonth = () => Date.now() + 30 * 86_400_000

const startName = (p: string, pending: number) => `start ${p}, ${label(pending)} pending`
const acceptName = (p: string, pending: number) => `accept ${p}, ${label(pending)} pending`
const silentName = (pending: number) => `start max without events, ${label(pending)} pending`
const label = (pending: number) => String(pending).replace(/\B(?=(\d{3})+$)/g, ' ')

async function takeOurs(bench: Bench, pending: number): Promise<void> {
  const { server, record, size } = bench
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    const { starts, accepts, trouble } = await sendOnTime(fleet, { count: size(messages), people })
    for (const [p, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      record.ours(startName(p, pending), percentile(starts, share))
      record.ours(acceptName(p, pending), percentile(accepts, share))
    }
    const names = ['p50', 'p99'].flatMap((p) => [startName(p, pending), acceptName(p, pending)])
    if (trouble) record.spoil('ours', trouble, names)
    record.series({ plot: 'lateness', name: `ours, ${label(pending)}`, points: distribution(starts) })
  } finally {
    await fleet.stop()
  }
}

/** Without expiry events only the couriers' poll each second remains. */
async function takeOursInSilence(bench: Bench, pending: number): Promise<void> {
  const { server, record, size } = bench
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    await server.redis.config('SET', 'notify-keyspace-events', '')
    const { starts, trouble } = await sendOnTime(fleet, { count: size(messages), people })
    record.ours(silentName(pending), percentile(starts, 1))
    if (trouble) record.spoil('ours', trouble, [silentName(pending)])
  } finally {
    await server.redis.config('SET', 'notify-keyspace-events', 'Ex')
    await fleet.stop()
  }
}

async function takeTheirs({ server, record, size }: Bench, pending: number): Promise<void> {
  const bullmq = await startBullmq(server, 'lateness')
  try {
    await bullmq.call('work', { concurrency: workerConcurrency })
    const dues = dueTimes(size(messages))
    await bullmq.call('addAt', { data: jobData, dues })
    const last = dues.at(-1) as number
    await sleep(last + 2000 - Date.now())
    while ((await bullmq.call<number>('doneCount')) < dues.length && Date.now() < last + patienceMs) await sleep(100)
    const done = await bullmq.done()
    const lates = dues.map((_due, number) => done.get(number)?.[0] ?? Number.POSITIVE_INFINITY)
    record.theirs(startName('p50', pending), percentile(lates, 0.5))
    record.theirs(startName('p99', pending), percentile(lates, 0.99))
    const trouble = troubleOf(numbers(dues.length), done)
    if (trouble) record.spoil('theirs', trouble, [startName('p50', pending), startName('p99', pending)])
    record.series({ plot: 'lateness', name: `BullMQ, ${label(pending)}`, points: distribution(lates) })
    await bullmq.call('rest')
  } finally {
    await bullmq.stop()
  }
}

/** Both sides come to have so many more waiting; both stay, in their own databases, while they take turns. */
async function fill({ server, say }: Bench, first: number, count: number): Promise<void> {
  if (count === 0) return
  say(`putting ${label(count)} more, ours`)
  const fleet = await startFleet({ server, couriers: {} })
  try {
    await fleet.api.sendMany(messagesFor({ count, first, people, dueAt: nextMonth }))
  } finally {
    await fleet.stop()
  }
  say(`putting ${label(count)} more, BullMQ`)
  const bullmq = await startBullmq(server, 'lateness')
  try {
    await bullmq.call('addMany', { first, count, data: jobData, at: nextMonth() })
  } finally {
    await bullmq.stop()
  }
}

export const lateness: Case = {
  name: 'lateness',
  title: 'On time',
  about: `${number(messages)} messages for one person each, due over ${spreadMs / 1000} s whether or not those before are out (open loop), with 0, 100 000 and 1 000 000 others pending; who is
not out ${patienceMs / 1000} s after the last counts as never. *start* is the moment a courier turned the delivery into entries of work streams, *accept* the moment the VK stand-in took the message,
both less the due time. BullMQ: delayed jobs, one worker that does nothing, ${workerConcurrency} jobs at once; start of the job less its due time. Both sides have their pending ones in
the same Redis at the same time, in databases of their own, and take turns.`,
  maxRuns: 3,
  metrics: Object.fromEntries(
    sizes.flatMap((pending): [string, Metric][] => [
      [startName('p50', pending), { unit: 'ms', target: { most: 2 } }],
      [startName('p99', pending), { unit: 'ms', target: { most: 5, maxTimesTheirs: 0.2 } }],
      [acceptName('p50', pending), { unit: 'ms' }],
      [acceptName('p99', pending), { unit: 'ms', target: { most: 40 } }],
      [silentName(pending), { unit: 'ms', target: { most: 1100 } }],
    ]),
  ),
  plots: [
    {
      file: 'lateness',
      kind: 'curves',
      title: 'Share started so many ms after they were due',
      x: 'ms',
      y: 'share',
      logX: true,
    },
  ],
  async measure(bench) {
    await bench.clear([people])
    let pending = 0
    for (const full of sizes) {
      await fill(bench, pending, bench.size(full) - pending)
      pending = bench.size(full)
      for (let run = 1; run <= bench.runs; run++) {
        bench.say(`${label(pending)} pending, run ${run} of ${bench.runs}: ours`)
        await takeOurs(bench, full)
        bench.say(`${label(pending)} pending, run ${run} of ${bench.runs}: BullMQ`)
        await takeTheirs(bench, full)
      }
      bench.say(`${label(pending)} pending, events off: ours`)
      await takeOursInSilence(bench, full)
    }
  },
}
