/** What the rules about people cost: one message to very many where nothing is set at all, of a type without rules, with opt-outs, and with rules that count. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDirectory } from '@courier-fleet/directory'
import { readVersions, type StoredSettings, writeSettings } from '@courier-fleet/store'
import type { Bench, Case } from '../case.ts'
import type { Metric } from '../figures.ts'
import { textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { personId } from '../ours/people.ts'

const people = 1_000_000
/** one in so many has switched off a type, which is not the one that is sent */
const everyWish = 10
/** of so many people at once; a multiple of that */
const wishesAtOnce = 10_000
/** before each message: processes look at the settings every two seconds, and Redis has written by then what was changed before */
const restMs = 3_000
const courierName = 'courier-vk-1'

const name = { ru: 'Проба', en: 'Trial' }
const stored: StoredSettings = {
  types: [
    { id: 'other', number: 4, name },
    { id: 'plain', number: 5, name },
    { id: 'capped', number: 2, name, caps: [{ n: 10, per: 'P1D' }] },
    { id: 'full', number: 3, name, duplicates: {}, interval: 'PT1S', caps: [{ n: 20, per: 'day' }] },
  ],
}

interface Kind {
  readonly name: string
  /** one of those stored */
  readonly type?: string
  /** people have some, for this kind alone */
  readonly wishes?: true
}

/** Nothing is set for the first, the types for all others. */
const nothingSet: Kind = { name: 'nothing set' }
const noRule: Kind = { name: 'no rule', type: 'plain' }
const kinds: readonly Kind[] = [
  nothingSet,
  noRule,
  { name: 'opt-outs only', type: 'plain', wishes: true },
  { name: 'a cap', type: 'capped' },
  { name: 'a duplicate, an interval and a cap by the day', type: 'full' },
]
/**
 * In this order in each run. What others are compared with comes before and after them, and counts as the mean of both: a machine gets faster and
 * slower by as much as some of them cost.
 */
const messages: readonly Kind[] = [...kinds, noRule, nothingSet]

/** What every tenth of them has switched off. */
async function wish({ server, size }: Bench, off: readonly string[]): Promise<void> {
  const directory = createDirectory({ redis: server.redis, country: 'RU' })
  const count = size(people)
  for (let from = 0; from < count; from += wishesAtOnce) {
    const changes: Promise<unknown>[] = []
    for (let i = from; i < Math.min(from + wishesAtOnce, count); i += everyWish)
      changes.push(directory.changeWishes(personId(i), () => ({ off: [...off] })))
    await Promise.all(changes)
  }
}

async function set({ server: { redis } }: Bench, wanted: StoredSettings): Promise<void> {
  const [newest] = await readVersions(redis, 1)
  const written = await writeSettings(redis, { expected: newest?.version ?? 0, stored: wanted, by: 'bench' })
  if (written === undefined) throw new Error('somebody else has changed the settings')
}

/** So that a run finds what the one before it found. */
async function forgetCounted({ server: { redis } }: Bench): Promise<void> {
  for (let cursor = '0'; ; ) {
    const [next, pages] = await redis.scan(cursor, 'MATCH', 'diary:*', 'COUNT', 10_000)
    if (pages.length > 0) await redis.unlink(...pages)
    if (next === '0') break
    cursor = next
  }
  // Redis frees them on a core that the next kind is measured on
  while (!(await redis.info('memory')).includes('lazyfree_pending_objects:0\r')) await sleep(100)
}

/** By one message, a person. */
interface Taken {
  readonly seconds: number
  readonly redisMs: number
  readonly courierMs: number
  readonly memory: number
}

/** @param text another for each message */
async function send(bench: Bench, fleet: Fleet, { name: kind, type, wishes }: Kind, text: string): Promise<Taken> {
  const { server, record, size } = bench
  const count = size(people)
  if (wishes) await wish(bench, ['other'])
  await sleep(restMs)
  const before = await server.figures()
  const memory = await server.usedMemory()
  await fleet.probes.watch()
  const options = { channel: 'vk', people: count, text, everyMs: 500 } as const
  const { seconds, trouble } = await fanOut(fleet, { ...options, ...(type ? { type } : {}) })
  const courier = (await fleet.probes.report()).get(courierName)
  const after = await server.figures()
  const used = await server.usedMemory()
  // nothing else is measured with them
  if (wishes) await wish(bench, [])
  if (trouble) record.spoil('ours', trouble, [`${kind}: speed`])
  return {
    seconds: seconds / count,
    redisMs: (after.cpuMs - before.cpuMs) / count,
    courierMs: (courier?.cpuMs ?? Number.NaN) / count,
    memory: (used - memory) / count,
  }
}

function meanOf(all: readonly Taken[]): Taken {
  const mean = (of: (taken: Taken) => number) => all.reduce((sum, taken) => sum + of(taken), 0) / all.length
  return {
    seconds: mean(({ seconds }) => seconds),
    redisMs: mean(({ redisMs }) => redisMs),
    courierMs: mean(({ courierMs }) => courierMs),
    memory: mean(({ memory }) => memory),
  }
}

async function measureRun(bench: Bench, fleet: Fleet, run: number): Promise<void> {
  const { record, runs, say } = bench
  const taken = new Map<Kind, Taken[]>()
  for (const [index, kind] of messages.entries()) {
    say(`${kind.name}, run ${run} of ${runs}`)
    await set(bench, kind === nothingSet ? {} : stored)
    const one = await send(bench, fleet, kind, textOf(run * 10 + index))
    taken.set(kind, [...(taken.get(kind) ?? []), one])
  }
  const means = new Map([...taken].map(([kind, all]) => [kind, meanOf(all)]))
  for (const [kind, { seconds, redisMs, courierMs, memory }] of means) {
    record.ours(`${kind.name}: speed`, 1 / seconds)
    record.ours(`${kind.name}: CPU of Redis`, 1000 * redisMs)
    record.ours(`${kind.name}: CPU of the courier`, 1000 * courierMs)
    record.ours(`${kind.name}: memory`, memory)
    const other = means.get(against(kind))?.seconds ?? Number.NaN
    if (kind !== nothingSet) record.ours(lossName(kind), 100 * (1 - other / seconds))
  }
}

/** What somebody pays for a rule is what it is slower than without; what everybody pays, that than where nobody has set anything. */
const against = (kind: Kind) => (kind === noRule ? nothingSet : noRule)
const lossName = (kind: Kind) => `${kind.name}: slower than with ${against(kind).name}`
const mostOf = (kind: Kind) => (kind === noRule ? 3 : 20)

const metrics: { [metric: string]: Metric } = Object.fromEntries(
  kinds.flatMap((kind): [string, Metric][] => [
    [`${kind.name}: speed`, { unit: 'people/s' }],
    [`${kind.name}: CPU of Redis`, { unit: 'µs/person' }],
    [`${kind.name}: CPU of the courier`, { unit: 'µs/person' }],
    [`${kind.name}: memory`, { unit: 'bytes/person', note: 'of the message, with what counts of it' }],
    ...(kind === nothingSet
      ? []
      : ([[lossName(kind), { unit: '%', target: { most: mostOf(kind) } }]] as [string, Metric][])),
  ]),
)

export const rules: Case = {
  name: 'rules',
  title: 'Rules about people',
  about:
    'One message to a million people on VK, without limits: in a fleet where nobody has set anything, of a type that has no rule in one where others have, with people who have switched something off, with a cap, ' +
    'and with every rule that counts; the first two come once more at the end, and the mean of both counts. What each costs is CPU of Redis and of the courier, which a busy machine moves less than speed, and memory of Redis, a person; the others follow in the same fleet.',
  maxRuns: 3,
  metrics,
  plots: [],
  population: [people],
  async measure(bench) {
    await bench.populate()
    const { server, size, say } = bench
    const fleet = await startFleet({ server, couriers: { vk: 1 } })
    try {
      say('the first message, which nothing is compared with: what runs often is compiled by then')
      await fanOut(fleet, { channel: 'vk', people: size(people), text: textOf(0), everyMs: 500 })
      for (let run = 1; run <= bench.runs; run++) {
        await forgetCounted(bench)
        await measureRun(bench, fleet, run)
      }
    } finally {
      await fleet.stop()
    }
  },
}
