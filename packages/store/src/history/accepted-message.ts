/** What of an accepted message decides who is sent it when. */
import type { MessageClass, MessageRules, Recheck, SenderLine } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { audienceIn, readAudience } from './audience.ts'
import { parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'
import { urlsIn } from './url-recipients.ts'

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
  readonly subject?: string | undefined
  readonly senderLine?: SenderLine | undefined
  /** when it went out; absent before that, Unix ms */
  readonly startedMs?: number
  /** Unix ms */
  readonly dueMs: number
  /** Unix ms; 0 = a day after due */
  readonly expiresMs: number
  readonly size: number
  /** of the ordinals from … to-1, as far as there are so many */
  people(from: number, to: number): Promise<string[]>
}

/** @returns undefined where nothing was put */
export function acceptedMessage(redis: Redis, { ref, hash, record }: Snapshot): AcceptedMessage | undefined {
  if (record === undefined) return undefined
  const { width, rules, online, recheck, text, subject, senderLine, to } = parseRecord(record)
  const size = Number(hash.size)
  const all = audienceIn(record, width)
  return {
    class: hash.class as MessageClass,
    ...(hash.channels ? { channels: hash.channels.split(',') } : {}),
    rules,
    areUrls: urlsIn(to) !== undefined,
    online: online !== undefined,
    recheck,
    text,
    subject,
    senderLine,
    ...(hash.started ? { startedMs: Number(hash.started) } : {}),
    dueMs: Number(hash.due),
    expiresMs: Number(hash.expires ?? 0),
    size,
    people: async (from, to) => (all ? all.slice(from, to) : readAudience(redis, ref, width, from, Math.min(to, size))),
  }
}
