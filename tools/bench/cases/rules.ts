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
/** processes look at the settings every two seconds */
const knownMs = 3_000
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

/** In this order in each run: nothing is set for the first, the types for all others; wishes are there for their own alone. */
const kinds = [
  { name: 'nothing set' },
  { name: 'no rule', type: 'plain' },
  { name: 'opt-outs only', type: 'plain', wishes: true },
  { name: 'a cap', type: 'capped' },
  { name: 'a duplicate, an interval and a cap by the day', type: 'full' },
] as const

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
  await sleep(knownMs)
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

async function measureKind(bench: Bench, fleet: Fleet, kind: (typeof kinds)[number], run: number): Promise<number> {
  const { server, record, size } = bench
  const count = size(people)
  const before = await server.figures()
  const memory = await server.usedMemory()
  const type = 'type' in kind ? { type: kind.type } : {}
  const text = textOf(run * 10 + kinds.indexOf(kind))
  await fleet.probes.watch()
  const { seconds, trouble } = await fanOut(fleet, { channel: 'vk', people: count, text, everyMs: 500, ...type })
  const courier = (await fleet.probes.report()).get(courierName)
  const after = await server.figures()
  const speed = count / seconds
  record.ours(`${kind.name}: speed`, speed)
  record.ours(`${kind.name}: CPU of Redis`, (1000 * (after.cpuMs - before.cpuMs)) / count)
  record.ours(`${kind.name}: CPU of the courier`, (1000 * (courier?.cpuMs ?? Number.NaN)) / count)
  record.ours(`${kind.name}: memory`, ((await server.usedMemory()) - memory) / count)
  if (trouble) record.spoil('ours', trouble, [`${kind.name}: speed`])
  return speed
}

/** What somebody pays for a rule is what it is slower than without; what everybody pays, that than where nobody has set anything. */
const against = ({ name: kind }: (typeof kinds)[number]) => (kind === 'no rule' ? 'nothing set' : 'no rule')
const lossName = (kind: (typeof kinds)[number]) => `${kind.name}: slower than with ${against(kind)}`
const mostOf = ({ name: kind }: (typeof kinds)[number]) => (kind === 'no rule' ? 3 : 20)

const metrics: { [metric: string]: Metric } = Object.fromEntries(
  kinds.flatMap((kind): [string, Metric][] => [
    [`${kind.name}: speed`, { unit: 'people/s' }],
    [`${kind.name}: CPU of Redis`, { unit: 'µs/person' }],
    [`${kind.name}: CPU of the courier`, { unit: 'µs/person' }],
    [`${kind.name}: memory`, { unit: 'bytes/person', note: 'of the message, with what counts of it' }],
    ...(kind === kinds[0]
      ? []
      : ([[lossName(kind), { unit: '%', target: { most: mostOf(kind) } }]] as [string, Metric][])),
  ]),
)

export const rules: Case = {
  name: 'rules',
  title: 'Rules about people',
  about:
    'One message to a million people on VK, without limits: in a fleet where nobody has set anything, of a type that has no rule in one where others have, with people who have switched something off, with a cap, ' +
    'and with every rule that counts. What each costs is CPU of Redis and of the courier, which a busy machine moves less than speed, and memory of Redis, a person; the others follow in the same fleet.',
  maxRuns: 3,
  metrics,
  plots: [],
  population: [people],
  async measure(bench) {
    await bench.populate()
    const { server, size, say, record } = bench
    const fleet = await startFleet({ server, couriers: { vk: 1 } })
    try {
      say('the first message, which nothing is compared with: what runs often is compiled by then')
      await fanOut(fleet, { channel: 'vk', people: size(people), text: textOf(0), everyMs: 500 })
      for (let run = 1; run <= bench.runs; run++) {
        await forgetCounted(bench)
        await set(bench, {})
        const speeds = new Map<string, number>()
        for (const kind of kinds) {
          say(`${kind.name}, run ${run} of ${bench.runs}`)
          if (kind.name === 'no rule') await set(bench, stored)
          if ('wishes' in kind) await wish(bench, ['other'])
          const speed = await measureKind(bench, fleet, kind, run)
          // neither a cap nor the next run is measured with them
          if ('wishes' in kind) await wish(bench, [])
          speeds.set(kind.name, speed)
          const other = speeds.get(against(kind))
          if (kind !== kinds[0]) record.ours(lossName(kind), 100 * (1 - speed / (other ?? Number.NaN)))
        }
      }
    } finally {
      await fleet.stop()
    }
  },
}
