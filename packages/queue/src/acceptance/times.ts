/** What `at` and `expires` mean at the moment of the call. */
import { type MessageBody, Problem } from '@courier-fleet/api-types'
import type { HangsOn } from '@courier-fleet/store'

/** an `at` this little in the past is a clock that is off or a slow network, and means now */
const toleranceMs = 60_000
/** what is further ahead is a slip of the pen, and would be kept for as long */
const maxAheadMs = 366 * 86_400_000
/** what waits until people are online is worth something for so long, unless its sender says otherwise */
const onlineForMs = 7 * 86_400_000
/** those whose endpoint took it in no try, once somebody decides so */
const retriedForMs = 86_400_000

/** @throws Problem 422 `too-far` */
function requireWithinAYear(text: string, ms: number, nowMs: number, field: string): void {
  if (ms <= nowMs + maxAheadMs) return
  throw new Problem(422, 'too-far', `${text} is more than a year ahead`, field)
}

/** @returns Unix ms; 0 = now. @throws Problem 422 `past-at` `too-far` */
export function dueOf(at: string, nowMs: number): number {
  return at === 'now' ? 0 : requireToCome(Date.parse(at), nowMs, { text: at, field: 'at' })
}

/** @returns Unix ms; 0 = now. @throws Problem 422 `past-at` `too-far` */
function requireToCome(ms: number, nowMs: number, { text, field }: { text: string; field: string }): number {
  if (ms < nowMs - toleranceMs) throw new Problem(422, 'past-at', `${text} has passed`, field)
  requireWithinAYear(text, ms, nowMs, field)
  return ms <= nowMs ? 0 : ms
}

const iso = (ms: number) => new Date(ms).toISOString()

/** When a message is due, Unix ms; 0 = now. @param event on which it hangs. @throws Problem 422 `past-at` `too-far` */
export function dueOfMessage(
  { at = 'now', in: seconds }: Pick<MessageBody, 'at' | 'in'>,
  event: HangsOn | undefined,
  nowMs: number,
): number {
  if (seconds !== undefined) return nowMs + delayMsOf(seconds)
  if (event === undefined) return dueOf(at, nowMs)
  const ms = dueAfter(event)
  return requireToCome(ms, nowMs, { text: `${iso(ms)}, as the event "${event.id}" has it,`, field: 'offset' })
}

export const delayMsOf = (seconds: number): number => Math.round(seconds * 1000)

export const dueAfter = ({ atMs, offset }: Pick<HangsOn, 'atMs' | 'offset'>): number => atMs + offset * 1000

/** When an event is. @throws Problem 422 `past-at` `too-far` for what is more than a year away */
export function timeOfEvent(at: string, nowMs: number): number {
  const ms = Date.parse(at)
  if (ms < nowMs - maxAheadMs) throw new Problem(422, 'past-at', `${at} is more than a year ago`, 'at')
  requireWithinAYear(at, ms, nowMs, 'at')
  return ms
}

/** Until when those are tried again whom nobody has taken it for. @throws Problem 422 `expires-before-at` `too-far` */
export function retryUntilOf({ expires }: { readonly expires?: string | undefined }, nowMs: number): number {
  return expiryOf({ expires }, nowMs, nowMs) || nowMs + retriedForMs
}

/** When a reminder will be due at its event's new time. @throws Problem 422 `too-far` */
export function requireReminderWithinAYear(ms: number, nowMs: number): void {
  requireWithinAYear(`a reminder at ${iso(ms)}`, ms, nowMs, 'at')
}

type Expiring = { readonly expires?: string | undefined; readonly whenOnline?: true | string | undefined }

/** From when it is due until it expires, where its sender has not said when; undefined where they have, or it is a day as of most. */
export const lastsOf = ({ expires, whenOnline }: Expiring): number | undefined =>
  expires === undefined && whenOnline !== undefined ? onlineForMs : undefined

/** Of a message that is moved. @param dueMs as dueOf() gave it. @returns as expiryOf() */
export const expiryOfMoved = (
  { expiresMs, lastsMs }: { readonly expiresMs: number; readonly lastsMs?: number | undefined },
  dueMs: number,
  nowMs: number,
): number => (lastsMs === undefined ? expiresMs : (dueMs || nowMs) + lastsMs)

/** @param dueMs as dueOf() gave it. @returns Unix ms; 0 = a day after due. @throws Problem 422 `expires-before-at` `too-far` */
export function expiryOf({ expires, whenOnline }: Expiring, dueMs: number, nowMs: number): number {
  if (expires === undefined) return expiryOfMoved({ expiresMs: 0, lastsMs: lastsOf({ whenOnline }) }, dueMs, nowMs)
  const ms = Date.parse(expires)
  if (ms <= (dueMs || nowMs)) {
    throw new Problem(422, 'expires-before-at', 'it would expire before it is due', 'expires')
  }
  requireWithinAYear(expires, ms, nowMs, 'expires')
  return ms
}

/** a message that says nothing of it expires so long after it is due */
const sentForMs = 86_400_000

/** When the last of it may go out, Unix ms. @param dueMs as dueOf() gave it. @param expiresMs as expiryOf() did */
export const endOfSending = (dueMs: number, expiresMs: number, nowMs: number): number =>
  expiresMs || (dueMs || nowMs) + sentForMs
