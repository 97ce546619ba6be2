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
 * - Unknown may be sent to again where somebody decides so. From then on nothing but proof that the person has it ends the doubt: whatever
 *   else becomes of the second attempt, the first is unknown.
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

/** A receipt with why it is so: `twice` is one of two attempts, `undelivered` the word of a report, `told` that of a person. */
export interface Receipt {
  readonly byte: string
  readonly why: '' | 'twice' | 'undelivered' | 'told'
}

/** To be sent to again, and attempted again: unknown to everyone outside. */
const again = ['w', 'b']

/** By the owner of the claim. `stop`: what becomes of whoever is still to be attempted */
export function recorded({ byte, why }: Receipt, next: string, stop?: 'x' | 'e'): Receipt {
  if (next === '=') return { byte, why }
  if (again.includes(byte)) {
    if (next === 'a' && !stop) return { byte: 'b', why }
    if (next === '\0') return { byte: 'w', why }
    if (ladder.includes(next)) return { byte: next, why: next === 's' ? 'twice' : why }
    return { byte: 'u', why: byte === 'b' ? 'twice' : why }
  }
  const wanted = next === 'a' && stop ? (byte === 'a' ? 'u' : stop) : next
  return mayFollow(byte, wanted) ? { byte: wanted, why } : { byte, why }
}

/** By the provider, later. */
export function reported({ byte, why }: Receipt, next: 's' | 'd' | 'r' | 'f'): Receipt {
  const isTwice = byte === 'b' || why === 'twice'
  if (next === 'f') {
    if (isTwice && byte === 's') return { byte: 'u', why: 'twice' }
    if (isTwice || byte === 'w') return { byte, why }
  }
  const allowed = again.includes(byte) ? ladder.includes(next) : mayBeReported(byte, next, why === 'undelivered')
  if (!allowed || (byte === 'f' && why === 'told' && next === 's')) return { byte, why }
  if (next === 'f') return { byte: 'f', why: 'undelivered' }
  return { byte: next, why: isTwice && next === 's' ? 'twice' : '' }
}

/** By a person who has found out. */
export function told({ byte, why }: Receipt, next: 'd' | 'f'): Receipt {
  return byte === 'u' || byte === 'w' || why === 'told' ? { byte: next, why: 'told' } : { byte, why }
}

/** By the decision to send to whoever is unknown again. */
export const resent = ({ byte, why }: Receipt): Receipt => ({ byte: byte === 'u' ? 'w' : byte, why })

/** How much a state says; a weaker one never overwrites a stronger one that is terminal. */
export function rank(byte: string): number {
  if (byte === '\0' || byte === 'a') return 0
  if (byte === 'u') return 1
  if (byte === 'f') return 3
  const step = ladder.indexOf(byte)
  return step < 0 ? 4 : 2 + step * 2
}
