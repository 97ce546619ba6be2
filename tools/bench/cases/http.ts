/** Calls of URLs: one of many endpoints hangs, very many calls due in one second, and lateness with very many pending. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInput } from '@courier-fleet/api-types'
import { numbers, troubleOf } from '../arrivals.ts'
import type { Bench, Case } from '../case.ts'
import { textOf } from '../messages.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { type Receiver, startReceiver } from '../receiver/receiver.ts'
import { number } from '../report/number.ts'
import { percentile } from '../statistics.ts'

const endpoints = 100
/** to each endpoint */
const messagesEach = 50
const calls = 10_000
const pending = 1_000_000
const late = 2_000
const secondMs = 1_000
const patienceMs = 120_000
const lookEveryMs = 50
const others = 'the other 99 endpoints while one hangs, p99'
const burst = 'calls due in one second, until the last has come'
const lateness = 'lateness with a million pending, p99'
const started = 'of that, from due until it has started, p99'
const made = 'of that, from its start until its call has come, p99'
/** histories read at once */
const readAtOnce = 50
const nextMonth = () => Date.now() + 30 * 86_400_000
/** put ahead of when they are due: so long a thousand messages may take */
const aheadMs = (count: number) => 3_000 + count

interface Planned {
  readonly which: number
  readonly path: string
  readonly dueMs: number
}

function* messagesOf(planned: Iterable<Planned>, { urlOf }: Receiver): Generator<MessageInput> {
  for (const { which, path, dueMs } of planned)
    yield { to: [urlOf(path, which)], text: textOf(which), at: new Date(dueMs).toISOString() }
}

interface Taken {
  readonly planned: Planned
  readonly key: string
  /** Unix ms; Infinity for one that did not come */
  readonly cameMs: number
}

const lateOf = ({ planned, cameMs }: Taken) => cameMs - planned.dueMs

/** @returns each that was to come */
async function take(bench: Bench, fleet: Fleet, receiver: Receiver, planned: readonly Planned[]): Promise<Taken[]> {
  await receiver.forget()
  const { keys } = await fleet.api.sendMany(messagesOf(planned, receiver))
  const [first] = planned
  if (first && Date.now() > first.dueMs) throw new Error('they were not all put before they were due')
  const expected = planned.filter(({ path }) => path !== 'hang')
  const giveUpAt = (planned.at(-1)?.dueMs ?? 0) + patienceMs
  while ((await receiver.count()) < expected.length && Date.now() < giveUpAt) await sleep(lookEveryMs)
  const { arrivals, repeated } = await receiver.received()
  const trouble = troubleOf(
    expected.map(({ which }) => which),
    arrivals,
  )
  if (trouble) bench.record.spoil('ours', trouble)
  bench.say(`${arrivals.size} came, ${repeated} of them again`)
  return planned.flatMap((each, index) => {
    if (each.path === 'hang') return []
    const cameMs = arrivals.get(each.which)?.[0] ?? Number.POSITIVE_INFINITY
    return [{ planned: each, key: keys[index] as string, cameMs }]
  })
}

async function takeHanging(bench: Bench, fleet: Fleet, receiver: Receiver): Promise<void> {
  const each = Math.max(2, bench.size(messagesEach))
  const startMs = Date.now() + aheadMs(each * endpoints)
  // each endpoint once every 200 ms
  const planned = numbers(each * endpoints).map((which) => ({
    which,
    path: which % endpoints === 0 ? 'hang' : `endpoint-${which % endpoints}`,
    dueMs: startMs + Math.floor(which / endpoints) * 200,
  }))
  bench.record.ours(others, percentile((await take(bench, fleet, receiver, planned)).map(lateOf), 0.99))
}

async function takeBurst(bench: Bench, fleet: Fleet, receiver: Receiver): Promise<void> {
  const count = bench.size(calls)
  const startMs = Date.now() + aheadMs(count)
  const planned = numbers(count).map((which) => ({
    which,
    path: `burst-${which % endpoints}`,
    dueMs: startMs + Math.floor((which / count) * secondMs),
  }))
  const last = Math.max(...(await take(bench, fleet, receiver, planned)).map(({ cameMs }) => cameMs))
  bench.record.ours(burst, (last - startMs) / 1000)
}

function* pendingUntil(dueMs: number, count: number): Generator<Planned> {
  for (let which = 0; which < count; which += 1) yield { which, path: `pending-${which % endpoints}`, dueMs }
}

async function takeLateness(bench: Bench, fleet: Fleet, receiver: Receiver): Promise<void> {
  const waiting = bench.size(pending)
  const due = nextMonth()
  await fleet.api.sendMany(
    messagesOf(pendingUntil(due, waiting), receiver),
    (put) => put % 100_000 === 0 && bench.say(`put ${put}`),
  )
  const count = bench.size(late)
  const startMs = Date.now() + aheadMs(count)
  // a hundred a second
  const planned = numbers(count).map((which) => ({
    which,
    path: `late-${which % endpoints}`,
    dueMs: startMs + which * 10,
  }))
  const taken = await take(bench, fleet, receiver, planned)
  const startedMs = await startsOf(fleet, taken)
  const record = (metric: string, ms: (taken: Taken, startMs: number) => number) =>
    bench.record.ours(
      metric,
      percentile(
        taken.map((each, index) => ms(each, startedMs[index] as number)),
        0.99,
      ),
    )
  record(lateness, lateOf)
  record(started, ({ planned: { dueMs } }, startMs) => startMs - dueMs)
  record(made, ({ cameMs }, startMs) => cameMs - startMs)
}

/** When each was woken: by Redis's clock, which is this machine's. */
async function startsOf({ api }: Fleet, taken: readonly Taken[]): Promise<number[]> {
  const starts: number[] = []
  for (let from = 0; from < taken.length; from += readAtOnce) {
    const histories = await Promise.all(taken.slice(from, from + readAtOnce).map(({ key }) => api.history(key)))
    starts.push(...histories.map(({ startedAt }) => Date.parse(startedAt ?? '')))
  }
  return starts
}

export const http: Case = {
  name: 'http',
  title: 'Calls of URLs',
  about: `Messages to URLs of ${endpoints} endpoints, one receiver on the same machine, which tells what it has been told before by the id. First one of them takes calls and never answers:
taken is how late the calls of the others come, five a second of each. Then ${number(calls)} calls due over one second. Then ${number(late)} of them, a hundred a second, with ${number(pending)} others pending; of those it is told
apart how late they started, as the history says, and how long after that the call has come. Two courier processes.`,
  maxRuns: 1,
  metrics: {
    [others]: { unit: 'ms', target: { most: 1000 } },
    [burst]: { unit: 's', target: { most: 20 } },
    [lateness]: { unit: 'ms', target: { most: 20 } },
    [started]: { unit: 'ms' },
    [made]: { unit: 'ms' },
  },
  plots: [],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}`)
      await bench.clear()
      const receiver = await startReceiver()
      const fleet = await startFleet({ server: bench.server, couriers: { http: 2 } })
      try {
        await takeHanging(bench, fleet, receiver)
        await takeBurst(bench, fleet, receiver)
        await takeLateness(bench, fleet, receiver)
      } finally {
        await fleet.stop()
        await receiver.stop()
      }
    }
  },
}
