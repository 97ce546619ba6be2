/**
 * What an address answered that is asked right before a message is sent. One process asks, and for a few seconds its answer is that of all
 * processes and channels:
 *
 *   (none) ─ claim ─► asked by one ─ keep ─► answered ─ 5 s ─► (none)
 *                          └──── that process is gone: 8 s ───► (none)
 *
 * A crash leaves the one or the other, which lapses by itself: then somebody asks again.
 */
import { type HistoryRef, memberOf, type Recheck, type RecheckView } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { defineScript } from '../script.ts'

/** What was answered about some people: of `some`, those of them whose place in the page stands there may be sent it. */
export type RecheckAnswer =
  | { readonly kind: 'ok' | 'error' | 'silent' }
  | { readonly kind: 'some'; readonly places: ReadonlySet<number> }

/** Who is at it, or what the answer is and how long it still holds. */
export type RecheckClaim =
  | { readonly kind: 'own' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'answered'; readonly answer: RecheckAnswer; readonly leftMs: number }

/** An answer is good for so long, wherever it is used. */
export const answerHoldsMs = 5_000
/** longer than a question takes */
const askingMs = 8_000

const asking = (token: string) => `?${token}`
const answered = /^!\S+ (?<said>ok|error|silent|some (?<places>\S*))$/

const keepScript = defineScript('keep-recheck', {
  keys: ['recheck', 'history'],
  args: ['message', 'tag', 'token', 'answer', 'holdsMs', 'counted', 'tookMs', 'silence'],
  reply: flagReply,
})

/** @param page of the audience, or 0 for all of it. @param token of whoever asks, good for one question */
export async function claimRecheck(redis: Redis, ref: HistoryRef, page: number, token: string): Promise<RecheckClaim> {
  const key = keys.recheck(ref, page)
  const replies = await redis.multi().set(key, asking(token), 'PX', askingMs, 'NX', 'GET').pttl(key).exec()
  const [[setError, found], [ttlError, leftMs]] = replies as [[Error | null, string | null], [Error | null, number]]
  if (setError ?? ttlError) throw setError ?? ttlError
  if (found === null || found === asking(token)) return { kind: 'own' }
  const { said, places } = answered.exec(found)?.groups ?? {}
  if (said === undefined) return { kind: 'asked' }
  return { kind: 'answered', answer: parseAnswer(said, places), leftMs }
}

export interface Answered {
  readonly answer: RecheckAnswer
  readonly tookMs: number
  /** why it was none */
  readonly silence?: string | undefined
}

/** @returns false where another process has been asking meanwhile, or the message is gone: then it says nothing any more */
export async function keepRecheck(
  redis: Redis,
  ref: HistoryRef,
  page: number,
  token: string,
  { answer, tookMs, silence = '' }: Answered,
): Promise<boolean> {
  const counted = answer.kind === 'some' ? (answer.places.size > 0 ? 'ok' : 'error') : answer.kind
  const args = { message: memberOf(ref), tag: tagOf(ref.shard), token, answer: packAnswer(answer) }
  return keepScript(
    redis,
    { recheck: keys.recheck(ref, page), history: keys.history(ref) },
    { ...args, holdsMs: answerHoldsMs, counted, tookMs: Math.round(tookMs), silence },
  )
}

/** A bit for each place of a page. */
function packAnswer(answer: RecheckAnswer): string {
  if (answer.kind !== 'some') return answer.kind
  const bits = Buffer.alloc(Math.ceil((Math.max(-1, ...answer.places) + 1) / 8))
  for (const place of answer.places) bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7))
  return `some ${bits.toString('base64url')}`
}

function parseAnswer(said: string, places: string | undefined): RecheckAnswer {
  if (places === undefined) return { kind: said as 'ok' | 'error' | 'silent' }
  const bits = Buffer.from(places, 'base64url')
  const all = Array.from({ length: bits.length * 8 }, (_none, place) => place)
  return { kind: 'some', places: new Set(all.filter((place) => ((bits[place >> 3] as number) >> (place & 7)) & 1)) }
}

/** What the message said of it, and what the history counts. */
export function recheckIn(said: Recheck, hash: Readonly<Record<string, string>>): RecheckView {
  const counted = (what: string) => Number(hash[`rechecks-${what}`] ?? 0)
  const { 'rechecks-last-ms': lastMs, 'rechecks-last-silence': lastSilence } = hash
  return {
    ...said,
    asked: counted('asked'),
    ok: counted('ok'),
    error: counted('error'),
    silent: counted('silent'),
    ...(lastMs === undefined ? {} : { lastMs: Number(lastMs) }),
    ...(lastSilence === undefined ? {} : { lastSilence }),
  }
}
