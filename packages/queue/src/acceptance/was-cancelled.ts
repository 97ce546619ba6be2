import { Problem } from '@courier-fleet/api-types'

/** A repeated call is not told that its message is on its way when it was cancelled since. @param how to send it after all */
export function wasCancelled(cancelledMs: number, how: string, field = 'key'): Problem {
  const at = new Date(cancelledMs).toISOString()
  return new Problem(409, 'cancelled', `it was cancelled at ${at}; to send it after all, ${how}`, field)
}
