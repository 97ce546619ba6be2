/** Withdraws a message: cancels it, and begins to take it from whoever has it. docs/decisions/0070. */
import { type HistoryRef, memberOf, Problem } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { textReply } from '../replies.ts'
import { asProblem, defineScript } from '../script.ts'
import { headOf } from './audience.ts'
import { lastsMs, maxAgeMs } from './correct.ts'
import { packRecord, parseRecord } from './message-record.ts'
import { recordLeft } from './record-left.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { stopRunning } from './taken-back.ts'

const recallScript = defineScript('recall', {
  keys: ['history', 'record', 'due'],
  args: ['message', 'tag', 'left', 'by', 'version', 'before', 'after', 'lastsMs', 'maxAgeMs'],
  reply: textReply,
})

/** its text may be corrected while this looks at it */
const maxTries = 10

/** @returns `cancelled` when nobody has it or will. @throws Problem 404 `unknown-key` · 409 `has-expired` `in-progress` */
export async function recall(redis: Redis, ref: HistoryRef, by: string): Promise<'cancelled' | 'withdrawing'> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const snapshot = await readSnapshot(redis, ref)
    if (!snapshot) throw new Problem(404, 'unknown-key', 'there is no such history', 'key')
    const outcome = await run(redis, snapshot, by)
    if (outcome === 'cancelled') return outcome
    if (outcome !== 'changed') return (await stopRunning(redis, ref)) === 'cancelled' ? 'cancelled' : 'withdrawing'
  }
  throw new Problem(409, 'in-progress', 'the message was corrected by another call meanwhile')
}

async function run(redis: Redis, { ref, record: before = '' }: Snapshot, by: string): Promise<string> {
  const { version, after } = before === '' ? { version: 2, after: '' } : recalled(before)
  const left = await recordLeft(redis, ref)
  return asProblem(
    recallScript(
      redis,
      { history: keys.history(ref), record: keys.record(ref), due: keys.due(ref.shard) },
      { message: memberOf(ref), tag: tagOf(ref.shard), left, by, version, before, after, lastsMs, maxAgeMs },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], EXPIRED: [409, 'has-expired'] },
  )
}

function recalled(before: string): { version: number; after: string } {
  const record = parseRecord(before)
  const version = (record.correction?.version ?? 1) + 1
  const correction = { version, isRecall: true } as const
  return { version, after: packRecord({ ...record, correction }, Buffer.from(headOf(before), 'latin1')) }
}
