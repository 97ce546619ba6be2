/** What a message costs in Redis: while it waits, and for good. */

import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import type { Bench, Case } from '../case.ts'
import { jobData, messagesFor, textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { startFleet } from '../ours/fleet.ts'
import { number } from '../report/number.ts'
import { startBullmq } from '../theirs/bullmq.ts'

const pendingMessages = 100_000
/** so that scripts, connections and buffers are there before the first measurement */
const warmUp = 1000
const audience = 50_000
const nextMonth = () => Date.now() + 30 * 86_400_000

async function takeOurs({ server, record, size, clear }: Bench): Promise<void> {
  await clear([size(audience)])
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    const dueAt = nextMonth
    await fleet.api.sendMany(messagesFor({ count: warmUp, people: 1, dueAt }))
    const empty = await server.usedMemory()
    await fleet.api.sendMany(messagesFor({ count: size(pendingMessages), first: warmUp, people: 1, dueAt }))
    record.ours('pending message', ((await server.usedMemory()) - empty) / size(pendingMessages))

    const before = await server.usedMemory()
    const { key, trouble } = await fanOut(fleet, { channel: 'vk', people: size(audience), text: textOf(0) })
    if (trouble) return record.spoil('ours', trouble)
    const ref = parseHistoryKey(key)
    const bytes = async (name: string) =>
      Number(await server.redis.call('MEMORY', 'USAGE', name, 'SAMPLES', '0')) / size(audience)
    record.ours('receipt', await bytes(keys.receipts(ref, 'vk')))
    record.ours('evidence', await bytes(keys.evidence(ref, 'vk')))
    const all = [
      keys.history(ref),
      keys.record(ref),
      keys.audience(ref),
      keys.receipts(ref, 'vk'),
      keys.evidence(ref, 'vk'),
    ]
    const each = await Promise.all(all.map(bytes))
    record.ours(
      'a message that was sent',
      each.reduce((sum, one) => sum + one, 0),
    )
    record.ours('everything sent', ((await server.usedMemory()) - before) / size(audience))
  } finally {
    await fleet.stop()
  }
}

async function takeTheirs({ server, record, size, clear }: Bench): Promise<void> {
  await clear()
  const bullmq = await startBullmq(server, 'memory')
  try {
    const at = nextMonth()
    await bullmq.call('addMany', { first: 0, count: warmUp, data: jobData, at })
    const empty = await server.usedMemory()
    await bullmq.call('addMany', { first: warmUp, count: size(pendingMessages), data: jobData, at })
    record.theirs('pending message', ((await server.usedMemory()) - empty) / size(pendingMessages))
  } finally {
    await bullmq.stop()
  }
}

export const memory: Case = {
  name: 'memory',
  title: 'Bytes in Redis',
  about: `Differences of Redis's \`used_memory\` after \`MEMORY PURGE\`, over ${number(pendingMessages)} pending one-person messages with 105 bytes of Cyrillic
text, beside as many delayed BullMQ jobs with the same text and address. Ours holds the frozen audience, the acceptance record, its digest and the
sender's index; a BullMQ job holds its data. After sending: one message to ${number(audience)} people on VK; a receipt is one state byte and four that
say when, evidence is the provider's message id of each recipient.`,
  maxRuns: 2,
  metrics: {
    'pending message': { unit: 'bytes', target: { maxTimesTheirs: 1 } },
    receipt: { unit: 'bytes per recipient and channel', target: { most: 6 } },
    evidence: { unit: 'bytes per recipient and channel' },
    'a message that was sent': {
      unit: 'bytes per recipient',
      target: { most: 30 },
      note: 'history, record, audience, receipts and evidence of one channel',
    },
    'everything sent': {
      unit: 'bytes per recipient',
      note: 'the same, and what Redis keeps for those who send it, however many people there are',
    },
  },
  plots: [{ file: 'memory', kind: 'bars', title: 'Bytes of one pending message', metrics: ['pending message'] }],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}: ours`)
      await takeOurs(bench)
      bench.say(`run ${run} of ${bench.runs}: BullMQ`)
      await takeTheirs(bench)
    }
  },
}
