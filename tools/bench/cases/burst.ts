/** Very many messages for one person each, all due in the same millisecond. */
import { setTimeout as sleep } from 'node:timers/promises'
import { arrivalsOf, numbers, troubleOf } from '../arrivals.ts'
import type { Bench, Case } from '../case.ts'
import { jobData, messagesFor, numberIn, textOf } from '../messages.ts'
import { dueAfter, followDue, nextMonth, patienceMs, putDueTogether, trial } from '../ours/due-together.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { outstandingCount, settledTimes } from '../ours/outstanding.ts'
import { userToken } from '../ours/people.ts'
import { number } from '../report/number.ts'
import { isScript, slowestByScript } from '../server/scripts.ts'
import { startBullmq, workerConcurrency } from '../theirs/bullmq.ts'

const messages = 200_000
const urgentEveryMs = 500
const lookEveryMs = 100
const slowMs = 5
const longMs = 10
const whole = 'until the last is recorded'
const urgentFirst = 1_000_000_000

async function takeOurs(bench: Bench): Promise<void> {
  const { server, record, size, say } = bench
  const count = size(messages)
  const fleet = await startFleet({ server, couriers: { vk: 1, sms: 1 } })
  try {
    const { keys, due } = await putDueTogether(fleet, {
      count,
      messages: (some, dueAt) => messagesFor({ count: some, people: count, dueAt, channels: ['vk'] }),
      say,
    })
    await sleep(due - 500 - Date.now())
    await server.watchSlow(slowMs)
    await fleet.probes.watch()
    await sleep(due - Date.now())
    const [urgents] = await Promise.all([sendUrgents(fleet, server, due), followProgress(bench, due, count)])
    const reports = await fleet.probes.report()
    const slow = (await server.slow()).filter(isScript)

    const settled = await settledTimes(server.redis, keys, 'vk')
    const last = settled.reduce((latest: number, at) => Math.max(latest, at ?? Number.POSITIVE_INFINITY), 0)
    record.ours(whole, (last - due) / 1000)
    record.ours('throughput', count / ((last - due) / 1000))
    record.ours('Lua calls above 10 ms', slow.filter(({ ms }) => ms > longMs).length)
    record.ours('longest Lua call', Math.max(0, ...slow.map(({ ms }) => ms)))
    const loop = reports.get('courier-vk-1')?.loopDelayMs
    record.ours('event-loop delay of the courier, p99', loop?.p99 ?? Number.NaN)
    record.ours('event-loop delay of the courier, max', loop?.max ?? Number.NaN)
    record.remark('Slowest Lua calls of the last run', describeSlow(slow))
    await check(bench, fleet, settled, urgents)
  } finally {
    await fleet.stop()
  }
}

/** One message to one person by SMS each half second of the burst. @returns when each was offered, Unix ms */
async function sendUrgents(fleet: Fleet, server: Bench['server'], due: number): Promise<Map<number, number>> {
  const offered = new Map<number, number>()
  do {
    const number = urgentFirst + offered.size
    offered.set(number, Date.now())
    await fleet.api.send({ to: [userToken(0)], text: textOf(number), class: 'urgent', channels: ['sms'] })
    await sleep(urgentEveryMs)
  } while ((await outstandingCount(server.redis)) > 0 && Date.now() < due + patienceMs)
  return offered
}

async function followProgress(bench: Bench, due: number, count: number): Promise<void> {
  bench.record.series({ plot: 'burst', name: 'ours', points: await followDue(bench, due, count) })
}

/** Each recorded and accepted exactly once; how long the urgent ones took. */
async function check({ record, size }: Bench, fleet: Fleet, settled: readonly unknown[], urgents: Map<number, number>) {
  const arrivals = await arrivalsOf(fleet.sandbox.acceptedRows(), ({ text }) => numberIn(text))
  const unsettled = settled.filter((at) => at === undefined).length
  const trouble = troubleOf([...numbers(size(messages)), ...urgents.keys()], arrivals)
  if (trouble) record.spoil('ours', trouble)
  if (unsettled > 0) record.spoil('ours', `${unsettled} without a true receipt`)
  const waits = [...urgents].map(
    ([number, offered]) => (arrivals.get(number)?.[0] ?? Number.POSITIVE_INFINITY) - offered,
  )
  record.ours('urgent message on another channel, slowest', Math.max(...waits))
}

const describeSlow = (slow: Parameters<typeof slowestByScript>[0]) =>
  slow.length === 0
    ? `None took ${slowMs} ms.`
    : slowestByScript(slow)
        .map(([script, calls, ms]) => `- \`${script}\`: ${calls} above ${slowMs} ms, the longest ${ms.toFixed(1)} ms`)
        .join('\n')

async function takeTheirs({ server, record, size }: Bench): Promise<void> {
  const count = size(messages)
  const bullmq = await startBullmq(server, 'burst')
  try {
    const first = count
    const ms = await bullmq.call<number>('addMany', { first, count: trial, data: jobData, at: nextMonth() })
    const due = dueAfter(count, ms)
    await bullmq.call('addMany', { first: 0, count, data: jobData, at: due })
    if (Date.now() > due) throw new Error("BullMQ's jobs were not all added before they were due")
    await bullmq.call('work', { concurrency: workerConcurrency })
    await sleep(due - 500 - Date.now())
    await server.watchSlow(slowMs)
    await sleep(due - Date.now())
    const points: [number, number][] = []
    for (let done = 0; done < count && Date.now() < due + patienceMs; ) {
      await sleep(lookEveryMs)
      done = await bullmq.call<number>('doneCount')
      points.push([(Date.now() - due) / 1000, done])
    }
    record.series({ plot: 'burst', name: 'BullMQ', points })
    const slow = (await server.slow()).filter(isScript)
    const done = await bullmq.done()
    const last = numbers(count).reduce(
      (latest, number) => Math.max(latest, done.get(number)?.[0] ?? Number.POSITIVE_INFINITY),
      0,
    )
    record.theirs(whole, last / 1000)
    record.theirs('throughput', count / (last / 1000))
    record.theirs('Lua calls above 10 ms', slow.filter(({ ms }) => ms > longMs).length)
    record.theirs('longest Lua call', Math.max(0, ...slow.map(({ ms }) => ms)))
    const trouble = troubleOf(numbers(count), done)
    if (trouble) record.spoil('theirs', trouble)
  } finally {
    await bullmq.stop()
  }
}

export const burst: Case = {
  name: 'burst',
  title: 'Everything at once',
  about: `${number(messages)} messages for one person each, to as many different people on VK, due in one millisecond; the VK stand-in has no limit. Taken is the time until
the receipt of the last is recorded and its history settled. Each half second an urgent message to one person goes out by SMS; taken is the time from offering
it to the API until the SMS centre has it. One process of each channel. BullMQ: as many delayed jobs, a worker that does nothing, ${workerConcurrency} jobs at once, until the last
has been worked on: no provider is called and no outcome kept.`,
  maxRuns: 2,
  population: [messages],
  metrics: {
    [whole]: { unit: 's', target: { most: 20, maxTimesTheirs: 1.3 }, note: 'the aim is 10' },
    throughput: { unit: 'messages/s' },
    'Lua calls above 10 ms': { unit: 'calls', target: { most: 0 } },
    'longest Lua call': { unit: 'ms' },
    'urgent message on another channel, slowest': { unit: 'ms', target: { most: 100 } },
    'event-loop delay of the courier, p99': { unit: 'ms', target: { most: 50 } },
    'event-loop delay of the courier, max': { unit: 'ms' },
  },
  plots: [{ file: 'burst', kind: 'curves', title: 'Messages done after they were due', x: 's', y: 'messages' }],
  async measure(bench) {
    await bench.populate()
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}: ours`)
      await takeOurs(bench)
      bench.say(`run ${run} of ${bench.runs}: BullMQ`)
      await takeTheirs(bench)
    }
  },
}
