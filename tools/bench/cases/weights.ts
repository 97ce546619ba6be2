/** The three classes on one channel near its provider's limit: what share each has, and how soon an urgent message is through. */
import { setTimeout as sleep } from 'node:timers/promises'
import { classes, type MessageClass } from '@courier-fleet/api-types'
import type { Bench, Case } from '../case.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { groupToken } from '../ours/people.ts'

const perSecond = 30
/** more than go out meanwhile */
const many = 3000
const few = 10
const windowSeconds = 60
const aloneSeconds = 20
const tries = 5
/** each second, of `perSecond` */
const steady = 27
const settleMs = 2_000
const patienceMs = 60_000
const lookEveryMs = 100

const alone = 'bulk alone'
const slowest = `${few} urgent behind ${many} bulk: the slowest at the provider`
const beside = 'bulk while urgent comes at 90 % of the rate'
const shareOf = (cls: MessageClass) => `all three wait: ${cls}`

interface Came {
  readonly text: string
  readonly at: number
}

async function came(fleet: Fleet): Promise<Came[]> {
  const rows: Came[] = []
  for await (const { text, at } of fleet.sandbox.acceptedRows()) rows.push({ text, at })
  return rows
}

async function until(fleet: Fleet, isThere: (rows: readonly Came[]) => boolean): Promise<Came[]> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await sleep(lookEveryMs)) {
    const rows = await came(fleet)
    if (isThere(rows)) return rows
  }
  throw new Error('the provider was not sent what was to come')
}

const send = (fleet: Fleet, cls: MessageClass, people: number, text: string = cls) =>
  fleet.api.send({ to: [groupToken(people)], text, channels: ['telegram'], class: cls })

/** Whom the provider took of each class in a span that begins when all of these have begun. */
async function counted(fleet: Fleet, wanted: readonly MessageClass[], ms: number): Promise<Record<string, number>> {
  await until(fleet, (rows) => wanted.every((cls) => rows.some(({ text }) => text === cls)))
  const from = Date.now() + settleMs
  await sleep(settleMs + ms)
  const rows = (await came(fleet)).filter(({ at }) => at >= from && at < from + ms)
  return Object.fromEntries(classes.map((cls) => [cls, rows.filter(({ text }) => text === cls).length]))
}

const percentOf = (cls: MessageClass, counts: Record<string, number>) =>
  (100 * (counts[cls] ?? 0)) /
  Math.max(
    1,
    Object.values(counts).reduce((sum, each) => sum + each, 0),
  )

/** On a fleet of its own: what one phase leaves is not in the way of the next. */
async function withFleet(bench: Bench, use: (fleet: Fleet) => Promise<void>): Promise<void> {
  await bench.clear([many, few, steady])
  const fleet = await startFleet({
    server: bench.server,
    couriers: { telegram: 2 },
    env: { TELEGRAM_RATE_PER_SECOND: String(perSecond) },
    limits: { telegram: { perSecond, perChatPerSecond: null } },
  })
  try {
    await use(fleet)
  } finally {
    await fleet.stop()
  }
}

async function takeShares({ record, size }: Bench, fleet: Fleet): Promise<void> {
  for (const cls of ['bulk', 'normal', 'urgent'] as const) await send(fleet, cls, many)
  const counts = await counted(fleet, classes, size(windowSeconds * 1000))
  for (const cls of classes) record.ours(shareOf(cls), percentOf(cls, counts))
}

async function takeAlone({ record, size }: Bench, fleet: Fleet): Promise<void> {
  await send(fleet, 'bulk', many)
  const ms = size(aloneSeconds * 1000)
  record.ours(alone, (100 * ((await counted(fleet, ['bulk'], ms)).bulk ?? 0)) / ((perSecond * ms) / 1000))
}

/** While that bulk goes on. */
async function takeUrgent({ record }: Bench, fleet: Fleet): Promise<void> {
  const times: number[] = []
  for (let run = 1; run <= tries; run += 1) {
    const text = `urgent ${run}`
    const dueMs = Date.parse((await fleet.api.history(await send(fleet, 'urgent', few, text))).at ?? '')
    const rows = await until(fleet, (all) => all.filter((row) => row.text === text).length === few)
    times.push((Math.max(...rows.filter((row) => row.text === text).map(({ at }) => at)) - dueMs) / 1000)
  }
  record.ours(slowest, Math.max(...times))
}

async function takeBeside({ record, size }: Bench, fleet: Fleet): Promise<void> {
  const ms = size(windowSeconds * 1000)
  await send(fleet, 'bulk', many)
  let isOver = false
  const sending = (async () => {
    for (let next = Date.now(); !isOver; next += 1000) {
      await send(fleet, 'urgent', steady)
      await sleep(Math.max(0, next + 1000 - Date.now()))
    }
  })()
  try {
    record.ours(beside, percentOf('bulk', await counted(fleet, ['bulk', 'urgent'], ms)))
  } finally {
    isOver = true
    await sending
  }
}

export const weights: Case = {
  name: 'weights',
  title: 'Classes that share a rate',
  about: `Telegram at ${perSecond} messages a second, two courier processes, weights 4 : 2 : 1, counted by what the stand-in has taken. First a message to ${many} people of each class, for ${windowSeconds} s from
when all three have begun: 4, 2 and 1 of 7 are 57.1, 28.6 and 14.3 %. Then ${many} bulk alone, of the limit; while they go on ${few} urgent, ${tries} times: the slowest of all, from when the message was due. Then ${many} bulk
beside ${steady} urgent a second: two classes that wait share 4 : 1, and a seventh is bulk's whatever comes.`,
  maxRuns: 1,
  metrics: {
    [shareOf('urgent')]: { unit: '% of what was taken', target: { least: 54.1, most: 60.1 } },
    [shareOf('normal')]: { unit: '% of what was taken', target: { least: 25.6, most: 31.6 } },
    [shareOf('bulk')]: { unit: '% of what was taken', target: { least: 11.3, most: 17.3 } },
    [alone]: { unit: '% of the limit', target: { least: 95 } },
    [slowest]: { unit: 's', target: { most: 0.5 } },
    [beside]: { unit: '% of what was taken', target: { least: 14.2 } },
  },
  plots: [],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`all three, run ${run} of ${bench.runs}`)
      await withFleet(bench, (fleet) => takeShares(bench, fleet))
      bench.say('bulk alone, and urgent behind it')
      await withFleet(bench, async (fleet) => {
        await takeAlone(bench, fleet)
        await takeUrgent(bench, fleet)
      })
      bench.say('bulk beside urgent at 90 % of the rate')
      await withFleet(bench, (fleet) => takeBeside(bench, fleet))
    }
  },
}
