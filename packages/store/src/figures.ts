/**
 * What has happened in the whole fleet, for `/metrics`. What became of messages is counted where their receipts move (`stats:…`), and is
 * exact. The rest are figures of processes that nobody can scrape, summed over all of them in one hash of Redis: each adds what has happened
 * since the last time. What a process had not added when it was killed is missing; no receipt depends on it.
 */
import { alignedInterval } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'
import { slowScripts } from './script.ts'
import { latenessBounds, readStatField, type Sums } from './stats/fields.ts'
import { readAllStats } from './stats/read-stats.ts'

/** By the name of its metric, without `fleet_` and what Prometheus puts at the end. */
export interface FigureKind {
  readonly help: string
  readonly labels: readonly string[]
  /** upper bounds, s; of what is measured rather than counted */
  readonly bounds?: readonly number[]
}

export const figureKinds = {
  outcomes: {
    help: 'People whose receipt came to this state, by the class of the reason it was given then',
    labels: ['type', 'channel', 'state', 'reason'],
  },
  delivery_reports: { help: 'Reports of providers taken in', labels: ['channel', 'state'] },
  provider_seconds: {
    help: 'From the hand-over of recipients to their provider until the answer, waiting for the allowed rate included',
    labels: ['channel'],
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
  },
  account_people: {
    help: 'People whom a provider has taken, where a channel has several accounts: by which, and whether in the place of another (own, taken-over)',
    labels: ['channel', 'account', 'how'],
  },
  unknown_zones: {
    help: "Times that somebody's quiet hours were counted by the zone of the fleet, because their own is not known",
    labels: ['channel'],
  },
  subscription_deliveries: {
    help: 'Tries to post a change to a subscriber, by what came of them: delivered, failed',
    labels: ['outcome'],
  },
  slow_script_calls: {
    help: 'Calls of a Lua script whose reply took longer than 100 ms, the way included',
    labels: ['script'],
  },
  start_lateness_seconds: {
    help: 'How long after its time a message was handed to its channels',
    labels: ['class'],
    bounds: latenessBounds,
  },
  channel_start_lateness_seconds: {
    help: 'The same of each channel it began on: a message once on each',
    labels: ['channel', 'class'],
    bounds: latenessBounds,
  },
} as const satisfies Record<string, FigureKind>

export type FigureName = keyof typeof figureKinds

export interface Figures {
  count(
    name: 'account_people' | 'delivery_reports' | 'unknown_zones' | 'subscription_deliveries',
    labels: readonly string[],
    by?: number,
  ): void
  measure(name: 'provider_seconds', labels: readonly string[], seconds: number): void
  /** Adds the last of them. */
  stop(): Promise<void>
}

const everyMs = 5_000

export function createFigures(redis: Redis): Figures {
  let unwritten = new Map<string, number>()
  let writing: Promise<void> | undefined
  const add = (field: string, by: number) => unwritten.set(field, (unwritten.get(field) ?? 0) + by)

  /** What Redis does not take is added the next time. */
  async function write(): Promise<void> {
    for (const [script, calls] of slowScripts.take()) add(`slow_script_calls ${script}`, calls)
    const some = unwritten
    unwritten = new Map()
    const adding = [...some].map(([field, by]) => redis.hincrby(keys.figures, field, by).catch(() => add(field, by)))
    await Promise.all(adding)
  }
  const writeOnce = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }
  const stopWriting = alignedInterval(everyMs, () => void writeOnce())

  return {
    count: (name, labels, by = 1) => add([name, ...labels].join(' '), by),
    measure(name, labels, seconds) {
      const bound = figureKinds[name].bounds.find((each) => seconds <= each) ?? 'more'
      add([name, ...labels, bound].join(' '), 1)
      add([name, ...labels, 'us'].join(' '), Math.round(seconds * 1e6))
    },
    async stop() {
      stopWriting()
      await writing
      await writeOnce()
    },
  }
}

/** Whom an account of a channel has taken since the figures are kept. */
export async function readAccountPeople(
  redis: Redis,
  channel: string,
  account: string,
): Promise<{ readonly own: number; readonly takenOver: number }> {
  const of = `account_people ${channel} ${account}`
  const [own, takenOver] = await redis.hmget(keys.figures, `${of} own`, `${of} taken-over`)
  return { own: Number(own ?? 0), takenOver: Number(takenOver ?? 0) }
}

/**
 * Of all processes, by labels in their order, `-` for none; of what is measured the last label is the bound, `more` above the last, and `us`
 * for the sum, µs.
 */
export async function readFigures(redis: Redis, shards: readonly string[]): Promise<Map<FigureName, Sums>> {
  const [hash, stats] = await Promise.all([redis.hgetall(keys.figures), readAllStats(redis, shards)])
  const found = new Map<FigureName, Map<string, number>>()
  const add = (name: string, labels: string, by: number) => {
    if (!(name in figureKinds)) return
    const sums = found.get(name as FigureName) ?? new Map<string, number>()
    found.set(name as FigureName, sums.set(labels, (sums.get(labels) ?? 0) + by))
  }
  for (const [field, value] of Object.entries(hash as Record<string, string>)) {
    const at = field.indexOf(' ')
    add(field.slice(0, at), field.slice(at + 1), Number(value))
  }
  for (const [name, by] of stats) {
    const field = readStatField(name)
    if (field.of === 'lateness' && field.channel === undefined)
      add('start_lateness_seconds', `${field.class} ${field.bound}`, by)
    else if (field.of === 'lateness')
      add('channel_start_lateness_seconds', `${field.channel} ${field.class} ${field.bound}`, by)
    if (field.of === 'receipts' && field.did === 'come' && field.state !== 'pending')
      add('outcomes', `${field.type} ${field.channel} ${field.state} ${field.reason ?? '-'}`, by)
  }
  return found
}
