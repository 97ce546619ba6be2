/** What the rules about people cost: one message to very many, of a type without rules, with opt-outs, and with rules that count. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDirectory } from '@courier-fleet/directory'
import { type StoredSettings, writeSettings } from '@courier-fleet/store'
import type { Bench, Case } from '../case.ts'
import type { Metric } from '../figures.ts'
import { textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { personId } from '../ours/people.ts'

const people = 1_000_000
/** one in so many has switched off a type, which is not the one that is sent */
const everyWish = 10
/** processes look at the settings every two seconds */
const knownMs = 3_000
const courierName = 'courier-vk-1'

const name = { ru: 'Проба', en: 'Trial' }
const stored: StoredSettings = {
  types: [
    { id: 'other', number: 4, name },
    { id: 'capped', number: 2, name, caps: [{ n: 10, per: 'P1D' }] },
    { id: 'full', number: 3, name, duplicates: {}, interval: 'PT1S', caps: [{ n: 20, per: 'day' }] },
  ],
}

const kinds = [
  { name: 'no rule' },
  { name: 'opt-outs only', wishes: true },
  { name: 'a cap', type: 'capped' },
  { name: 'a duplicate, an interval and a cap by the day', type: 'full' },
] as const

async function wish(bench: Bench, count: number): Promise<void> {
  const directory = createDirectory({ redis: bench.server.redis, country: 'RU' })
  for (let i = 0; i < count; i += everyWish) await directory.changeWishes(personId(i), () => ({ off: ['other'] }))
}

/** So that a run finds what the one before it found. */
async function forgetCounted({ server: { redis } }: Bench): Promise<void> {
  for (let cursor = '0'; ; ) {
    const [next, pages] = await redis.scan(cursor, 'MATCH', 'diary:*', 'COUNT', 10_000)
    if (pages.length > 0) await redis.unlink(...pages)
    if (next === '0') return
    cursor = next
  }
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

const lossName = ({ name: kind }: (typeof kinds)[number]) => `${kind}: slower than with no rule`

const metrics: { [metric: string]: Metric } = Object.fromEntries(
  kinds.flatMap((kind): [string, Metric][] => [
    [`${kind.name}: speed`, { unit: 'people/s' }],
    [`${kind.name}: CPU of Redis`, { unit: 'µs/person' }],
    [`${kind.name}: CPU of the courier`, { unit: 'µs/person' }],
    [`${kind.name}: memory`, { unit: 'bytes/person', note: 'of the message, with what counts of it' }],
    ...(kind === kinds[0] ? [] : ([[lossName(kind), { unit: '%', target: { most: 20 } }]] as [string, Metric][])),
  ]),
)

export const rules: Case = {
  name: 'rules',
  title: 'Rules about people',
  about:
    'One message to a million people on VK, without limits: of a type that has no rule, with people who have switched something off, with a cap, ' +
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
      await writeSettings(server.redis, { expected: 0, stored, by: 'bench' })
      await sleep(knownMs)
      say('the first message, which nothing is compared with: what runs often is compiled by then')
      await fanOut(fleet, { channel: 'vk', people: size(people), text: textOf(0), everyMs: 500 })
      for (let run = 1; run <= bench.runs; run++) {
        await forgetCounted(bench)
        let plain = Number.NaN
        for (const kind of kinds) {
          say(`${kind.name}, run ${run} of ${bench.runs}`)
          if ('wishes' in kind && run === 1) await wish(bench, size(people))
          const speed = await measureKind(bench, fleet, kind, run)
          if (kind === kinds[0]) plain = speed
          else record.ours(lossName(kind), 100 * (1 - speed / plain))
        }
      }
    } finally {
      await fleet.stop()
    }
  },
}
