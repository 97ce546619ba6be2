/** Very many messages for one person each, all due in the same millisecond, some of which go out as one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInput } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { arrivalsOf, numbers, troubleOf } from '../arrivals.ts'
import type { Bench, Case } from '../case.ts'
import { numberIn, textOf } from '../messages.ts'
import { followDue, putDueTogether } from '../ours/due-together.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { settledTimes } from '../ours/outstanding.ts'
import { userToken } from '../ours/people.ts'
import { number } from '../report/number.ts'
import { isScript } from '../server/scripts.ts'

const messages = 200_000
/** a third of them are one of two for the same person */
const pairShare = 1 / 6
const type = 'reminder'
const [plain, merged] = ['apart, until the last is recorded', 'merged, until the last is recorded'] as const
const times = 'merged, of apart'
const longMs = 10

const pairsIn = (count: number) => Math.floor(count * pairShare)

/** The last of them are the second ones of the first people. */
function* pairedMessages(count: number, people: number, dueAt: () => number, more: Partial<MessageInput>) {
  for (let index = 0; index < count; index++)
    yield {
      to: [userToken(index % people)],
      text: textOf(index),
      at: new Date(dueAt()).toISOString(),
      channels: ['vk'],
      ...more,
    }
}

/** @returns s */
async function take(bench: Bench, how: 'apart' | 'merged'): Promise<number> {
  const { server, record, size, say } = bench
  const count = size(messages)
  const people = count - pairsIn(count)
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    const client = createClient({ apiUrl: fleet.api.url, apiKey: fleet.api.key })
    await client.putType(type, {
      name: { ru: 'Напоминания', en: 'Reminders' },
      ...(how === 'merged' ? { merge: 'PT60S' } : {}),
    })
    const { keys, due } = await putDueTogether(fleet, {
      count,
      messages: (some, dueAt) => pairedMessages(some, people, dueAt, { type }),
      say,
    })
    await sleep(due - 500 - Date.now())
    await server.watchSlow(longMs)
    await fleet.probes.watch()
    await sleep(due - Date.now())
    const before = await server.figures()
    await followDue(bench, due, count)
    const after = await server.figures()
    const courier = (await fleet.probes.report()).get('courier-vk-1')
    record.ours(`${how}: Redis`, (1000 * (after.cpuMs - before.cpuMs)) / count)
    record.ours(`${how}: courier`, (1000 * (courier?.cpuMs ?? Number.NaN)) / count)
    const settled = await settledTimes(server.redis, keys, 'vk')
    const last = settled.reduce((latest: number, at) => Math.max(latest, at ?? Number.POSITIVE_INFINITY), 0)
    if (how === 'merged') record.ours('Lua calls above 10 ms', (await server.slow()).filter(isScript).length)
    await check(bench, fleet, settled, how)
    return (last - due) / 1000
  } finally {
    await fleet.stop()
  }
}

/** Each text came once, and every pair as one message where they are to be merged. */
async function check({ record, size }: Bench, fleet: Fleet, settled: readonly unknown[], how: 'apart' | 'merged') {
  const count = size(messages)
  let rows = 0
  async function* texts() {
    for await (const { text, at } of fleet.sandbox.acceptedRows()) {
      rows += 1
      for (const one of text.split('\n\n')) yield { at, text: one }
    }
  }
  const arrivals = await arrivalsOf(texts(), ({ text }) => numberIn(text))
  const trouble = troubleOf(numbers(count), arrivals)
  if (trouble) record.spoil('ours', `${how}: ${trouble}`)
  const unsettled = settled.filter((at) => at === undefined).length
  if (unsettled > 0) record.spoil('ours', `${how}: ${unsettled} without a true receipt`)
  const planned = how === 'merged' ? count - pairsIn(count) : count
  if (rows !== planned) record.spoil('ours', `${how}: ${rows} messages, and ${planned} were to be`)
}

export const merge: Case = {
  name: 'merge',
  title: 'Everything at once, and some as one',
  about: `${number(messages)} messages for one person each on VK, due in one millisecond, a third of which are one of two for the same person. Of a type with \`merge\`
each two go out as one message, with a history and a receipt each; beside the same messages of a type without. Taken is the time until the receipt of the last is
recorded and its history settled; the VK stand-in has no limit. One process of each kind.`,
  maxRuns: 2,
  population: [messages],
  metrics: {
    [merged]: { unit: 's' },
    [plain]: { unit: 's' },
    [times]: { unit: 'times', target: { most: 1 } },
    'Lua calls above 10 ms': { unit: 'calls', target: { most: 0 } },
    ...Object.fromEntries(
      ['apart', 'merged'].flatMap((how) => [
        [`${how}: Redis`, { unit: 'µs of CPU a message' }],
        [`${how}: courier`, { unit: 'µs of CPU a message' }],
      ]),
    ),
  },
  plots: [],
  async measure(bench) {
    await bench.populate()
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}: apart`)
      const apart = await take(bench, 'apart')
      bench.say(`run ${run} of ${bench.runs}: merged`)
      const asOne = await take(bench, 'merged')
      bench.record.ours(plain, apart)
      bench.record.ours(merged, asOne)
      bench.record.ours(times, asOne / apart)
    }
  },
}
