/** A limit of calls within any one second, as VK counts them per token. */
export function createCallRate(now: () => number): (limit: number | null) => boolean {
  const calls: number[] = []
  /** true when one more call may be made now, which is then counted */
  return (limit) => {
    if (limit === null) return true
    const since = now() - 1000
    const old = calls.findIndex((at) => at > since)
    calls.splice(0, old === -1 ? calls.length : old)
    if (calls.length >= limit) return false
    calls.push(now())
    return true
  }
}
