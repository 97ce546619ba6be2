/** What of an accepted message decides who is sent it when. */
import type {
  Confirm,
  MessageClass,
  MessageFile,
  MessageRules,
  Personal,
  Plan,
  Recheck,
  SenderLine,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { audienceIn, readAudience } from './audience.ts'
import { parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'
import { urlsIn } from './url-recipients.ts'

/** What people are written, as it was accepted. */
export interface AcceptedWords {
  readonly text: string
  readonly personal?: Personal | undefined
  readonly senderLine: SenderLine | undefined
  readonly confirm: Confirm | undefined
  readonly files: readonly MessageFile[] | undefined
}

export interface AcceptedMessage {
  readonly class: MessageClass
  /** absent: those in use when it starts */
  readonly channels?: readonly string[]
  readonly rules?: MessageRules | undefined
  readonly recheck?: Recheck | undefined
  /** it is for URLs, for which no rule about people holds */
  readonly areUrls: boolean
  /** it goes out when somebody is online */
  readonly online: boolean
  readonly text: string
  readonly personal?: Personal | undefined
  readonly subject?: string | undefined
  readonly senderLine?: SenderLine | undefined
  /** its people are asked to confirm it */
  readonly confirm?: Confirm | undefined
  readonly files?: readonly MessageFile[] | undefined
  /** when it went out; absent before that, Unix ms */
  readonly startedMs?: number
  /** Unix ms */
  readonly dueMs: number
  /** Unix ms; 0 = a day after due */
  readonly expiresMs: number
  /** as PutInput has it */
  readonly lastsMs?: number
  readonly size: number
  /** what it comes to was foretold, and is again when it is moved: of what people are written */
  readonly foretold?: { readonly words: AcceptedWords } | undefined
  /** it has a ceiling, or a budget held for it, and what its SMS cost at most is said with its plan */
  readonly priced?: { readonly words: AcceptedWords } | undefined
  /** of the ordinals from … to-1, as far as there are so many */
  people(from: number, to: number): Promise<string[]>
}

/** @returns undefined where nothing was put */
export function acceptedWords({ record }: Snapshot): AcceptedWords | undefined {
  if (record === undefined) return undefined
  const { text, personal, senderLine, confirm, files } = parseRecord(record)
  return { text, personal, senderLine, confirm, files }
}

/** @returns undefined where nothing was put */
export function acceptedMessage(redis: Redis, snapshot: Snapshot): AcceptedMessage | undefined {
  const { ref, hash, record } = snapshot
  const words = acceptedWords(snapshot)
  if (record === undefined || words === undefined) return undefined
  const { width, rules, online, recheck, text, subject, to, ceiling } = parseRecord(record)
  const size = Number(hash.size)
  const all = audienceIn(record, width)
  const planned = hash.plan === undefined ? undefined : (JSON.parse(hash.plan) as Plan)
  return {
    class: hash.class as MessageClass,
    ...(hash.channels ? { channels: hash.channels.split(',') } : {}),
    rules,
    areUrls: urlsIn(to) !== undefined,
    online: online !== undefined,
    recheck,
    text,
    personal: words.personal,
    subject,
    senderLine: words.senderLine,
    confirm: words.confirm,
    files: words.files,
    ...(hash.started ? { startedMs: Number(hash.started) } : {}),
    dueMs: Number(hash.due),
    expiresMs: Number(hash.expires ?? 0),
    ...(hash.lasts ? { lastsMs: Number(hash.lasts) } : {}),
    size,
    ...(planned?.forecast ? { foretold: { words } } : {}),
    ...(ceiling || planned?.costAtMost ? { priced: { words } } : {}),
    people: async (from, to) => (all ? all.slice(from, to) : readAudience(redis, ref, width, from, Math.min(to, size))),
  }
}
