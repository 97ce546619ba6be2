/** What `at` and `expires` mean at the moment of the call. */
import { type MessageBody, Problem } from '@courier-fleet/api-types'

/** an `at` this little in the past is a clock that is off or a slow network, and means now */
const toleranceMs = 60_000
/** what is further ahead is a slip of the pen, and would be kept for as long */
const maxAheadMs = 366 * 86_400_000
/** what waits until people are online is worth something for so long, unless its sender says otherwise */
const onlineForMs = 7 * 86_400_000

/** @throws Problem 422 `too-far` */
function requireWithinAYear(text: string, ms: number, nowMs: number, field: string): void {
  if (ms <= nowMs + maxAheadMs) return
  throw new Problem(422, 'too-far', `${text} is more than a year ahead`, field)
}

/** @returns Unix ms; 0 = now. @throws Problem 422 `past-at` `too-far` */
export function dueOf(at: string, nowMs: number): number {
  if (at === 'now') return 0
  const ms = Date.parse(at)
  if (ms < nowMs - toleranceMs) throw new Problem(422, 'past-at', `${at} has passed`, 'at')
  requireWithinAYear(at, ms, nowMs, 'at')
  return ms <= nowMs ? 0 : ms
}

/** When a message is due that says how long after its acceptance, Unix ms; as dueOf() where it says a time. */
export const dueOfMessage = ({ at = 'now', in: seconds }: Pick<MessageBody, 'at' | 'in'>, nowMs: number): number =>
  seconds === undefined ? dueOf(at, nowMs) : nowMs + delayMsOf(seconds)

export const delayMsOf = (seconds: number): number => Math.round(seconds * 1000)

/** @param dueMs as dueOf() gave it. @returns Unix ms; 0 = by default. @throws Problem 422 `expires-before-at` `too-far` */
export function expiryOf(
  { expires, whenOnline }: { readonly expires?: string | undefined; readonly whenOnline?: true | undefined },
  dueMs: number,
  nowMs: number,
): number {
  if (expires === undefined) return whenOnline ? (dueMs || nowMs) + onlineForMs : 0
  const ms = Date.parse(expires)
  if (ms <= (dueMs || nowMs)) {
    throw new Problem(422, 'expires-before-at', 'it would expire before it is due', 'expires')
  }
  requireWithinAYear(expires, ms, nowMs, 'expires')
  return ms
}
