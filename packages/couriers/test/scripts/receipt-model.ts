/**
 * Which receipt may follow which, in words, as lua/README.md tells it; written without reading lua/lib/receipts.lua.
 *
 * - A recipient starts as pending. From there: attempting, or an end without a provider: failed (a bad contact),
 *   no-contact, suppressed, cancelled, expired.
 * - Attempting may be given back (pending), or end as failed, unknown, cancelled, expired, or as anything that means the
 *   person has it.
 * - Unknown is resolved only by a report: it has it (sent or more), or it has not (failed).
 * - Whoever has it only climbs: sent, delivered, read, confirmed. As long as nothing stronger than sent is
 *   known, the provider may still say that it failed on the way.
 * - Everything else is final.
 */
const ladder = ['s', 'd', 'r', 'c']
const neverSent = ['n', 'p', 'x', 'e']

export const allBytes = ['\0', 'a', ...ladder, 'f', ...neverSent, 'u']

export function mayFollow(old: string, next: string): boolean {
  if (old === '\0') return next === 'a' || next === 'f' || neverSent.includes(next)
  if (old === 'a') return ['\0', 'a', 'f', 'u', 'x', 'e', ...ladder].includes(next)
  if (old === 'u') return next === 'f' || ladder.includes(next)
  if (old === 's' && next === 'f') return true
  return ladder.includes(old) && ladder.indexOf(next) > ladder.indexOf(old)
}

/**
 * What a provider says later may do all that, and one thing more: who failed because one attempt was refused may turn out to have
 * it by another. What a report itself said failed stays so.
 */
export function mayBeReported(old: string, next: string, wasReportedUndelivered: boolean): boolean {
  if (mayFollow(old, next)) return true
  return old === 'f' && !wasReportedUndelivered && ladder.includes(next)
}

/** How much a state says; a weaker one never overwrites a stronger one that is terminal. */
export function rank(byte: string): number {
  if (byte === '\0' || byte === 'a') return 0
  if (byte === 'u') return 1
  if (byte === 'f') return 3
  const step = ladder.indexOf(byte)
  return step < 0 ? 4 : 2 + step * 2
}
