/** Gives a message another text, and begins to correct whoever has an older one: docs/decisions/0066 and 0112. */
import { isDeepStrictEqual } from 'node:util'
import { type FollowUp, type HistoryRef, memberOf, type PersonalText, Problem } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { asProblem, defineScript } from '../script.ts'
import { headOf } from './audience.ts'
import { type Correction, type Intros, type MessageRecord, packRecord, parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'
import { maxVersions, packVersion } from './versions.ts'
import { acceptedMs } from './view.ts'

export interface NewText extends PersonalText, Intros {
  readonly followUp: FollowUp
  /** channels whose edits are told of by a message of its own besides; none when absent */
  readonly alsoTold?: readonly string[]
  readonly by: string
  /** Unix ms */
  readonly atMs: number
}

/** of a message that has settled: so long it is corrected, and so long after it has settled it may be */
export const lastsMs = 86_400_000
export const maxAgeMs = 14 * 86_400_000

const correctScript = defineScript('correct', {
  keys: ['history', 'record', 'versions', 'due'],
  args: ['message', 'tag', 'version', 'before', 'after', 'textBefore', 'textAfter', 'lastsMs', 'maxAgeMs', 'told'],
  reply: flagReply,
})

/** @returns the number of the new text. @throws Problem 404 `unknown-key` · 409 `was-cancelled` `in-progress` `has-expired` · 422 `cannot-correct` */
export async function correct(redis: Redis, { ref, hash, record: before }: Snapshot, how: NewText): Promise<number> {
  if (before === undefined) throw new Problem(404, 'unknown-key', 'nothing was put under this key', 'key')
  const record = parseRecord(before)
  const already = versionAlready(record, how)
  if (already !== undefined) return already
  requireCorrectable(record, how)
  const version = (record.correction?.version ?? 1) + 1
  const { text, personal, intro, intros, followUp, alsoTold = [], by, atMs } = how
  const correction = { version, followUp, ...(followUp === 'never' ? {} : { intro, ...(intros ? { intros } : {}) }) }
  // the new text is no stored one
  const now = { ...record, text, personal, template: undefined, correction }
  const after = packRecord(now, Buffer.from(headOf(before), 'latin1'))
  const { template } = record
  const accepted = { atMs: acceptedMs(hash.accepted as string), by: ref.sender }
  const isDone = await run(redis, ref, {
    version,
    before,
    after,
    textBefore: packVersion({ text: record.text, personal: record.personal, template, ...accepted }),
    textAfter: packVersion({ text, personal, atMs, by }),
    told: alsoTold.join(','),
  })
  if (!isDone) throw new Problem(409, 'in-progress', 'the message was corrected by another call meanwhile', 'text')
  return version
}

type Texts = Readonly<Record<'before' | 'after' | 'textBefore' | 'textAfter' | 'told', string>> & {
  readonly version: number
}

const run = (redis: Redis, ref: HistoryRef, texts: Texts): Promise<boolean> =>
  asProblem(
    correctScript(
      redis,
      {
        history: keys.history(ref),
        record: keys.record(ref),
        versions: keys.versions(ref),
        due: keys.due(ref.shard),
      },
      { message: memberOf(ref), tag: tagOf(ref.shard), ...texts, lastsMs, maxAgeMs },
    ),
    {
      UNKNOWN: [404, 'unknown-key', 'key'],
      STOPPED: [409, 'was-cancelled'],
      RUNNING: [409, 'in-progress'],
      EXPIRED: [409, 'has-expired'],
    },
  )

/** @returns the number of its newest text, where it is this one, told in this way: of the same call the first answer was lost, or its write not confirmed in time */
function versionAlready(record: MessageRecord, how: NewText): number | undefined {
  const { correction } = record
  return correction && isSame(record, how) && isToldAsBefore(correction, how) ? correction.version : undefined
}

/** Told of in another way it is another call: it would tell nobody, for whoever has an older text is corrected already. */
function isToldAsBefore({ followUp, intro }: Correction, how: NewText): boolean {
  if (followUp !== undefined) return followUp === how.followUp
  return (intro !== undefined) === (how.followUp !== 'never')
}

/** With the same values and languages. */
const isSame = (one: PersonalText, other: PersonalText): boolean =>
  one.text === other.text && isDeepStrictEqual(one.personal, other.personal)

/** @throws Problem 422 `cannot-correct` */
export function requireCorrectable(record: MessageRecord, wanted: PersonalText): void {
  const why = whyNot(record, wanted)
  if (why) throw new Problem(422, 'cannot-correct', why, 'text')
}

function whyNot(record: MessageRecord, wanted: PersonalText): string | undefined {
  const { hasSecret, correction } = record
  if (isSame(record, wanted)) return 'this is its text already'
  if ((correction?.version ?? 1) >= maxVersions) return `a message has at most ${maxVersions} texts`
  if (hasSecret) return 'it holds a code that only its recipient knows'
  return undefined
}
