/** Which pages of a diary are read: a page is a day of UTC. */

const dayMs = 86_400_000
/** the clocks of two machines may differ by so much, just where a day begins */
const skewMs = 5_000

/** The start of the day of UTC that this moment lies in. */
export const pageStart = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs

/** As keys name a day, such as 2026-09-01. */
export const pageName = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** Starts of the days that hold what was counted since then, the newest first. */
export function pagesSince(fromMs: number, nowMs: number): number[] {
  const newest = pageStart(nowMs + skewMs)
  const oldest = Math.min(pageStart(fromMs), pageStart(nowMs))
  return Array.from({ length: (newest - oldest) / dayMs + 1 }, (_unused, back) => newest - back * dayMs)
}
