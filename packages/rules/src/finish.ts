/**
 * How long it takes until the last of so many people has been sent to, as a range. A message takes some time however small it is, and
 * some for each of its people: between two messages of different size, the time of the one is at least that of the other times the
 * smaller of 1 and the ratio of their people, and at most times the larger. So every message that has ended bounds the next.
 */

export interface Took {
  readonly people: number
  readonly tookMs: number
}

export interface Load {
  /** who are sent to */
  readonly people: number
  /** who wait before them, at most */
  readonly ahead: number
  /** what the allowed rate takes for each of them, ms: at least, and at most where no message has shown how long; absent: no limit */
  readonly eachMs?: { readonly least: number; readonly most: number } | undefined
}

export interface Duration {
  readonly leastMs: number
  readonly mostMs: number
}

/** messages that are compared with: those most like it in size */
const nearest = 16
/** the rate of one hour is not that of the next */
const margin = 2
/** a lost hint costs a second, a process that stops and is followed by another some: within so long nobody is late */
const graceMs = 5_000

/** @returns undefined where neither a rate nor any message says how long */
export function durationOf({ people, ahead, eachMs }: Load, ended: readonly Took[]): Duration | undefined {
  if (people === 0) return { leastMs: 0, mostMs: graceMs }
  const farness = (each: Took) => Math.abs(Math.log(each.people / people))
  const near = ended
    .filter((each) => each.people > 0)
    .sort((one, other) => farness(one) - farness(other))
    .slice(0, nearest)
  if (near.length === 0 && eachMs === undefined) return undefined
  const all = people + ahead
  const { least = 0, most = 0 } = eachMs ?? {}
  const leastOf = near.map((each) => each.tookMs * Math.min(1, people / each.people))
  const mostOf = near.map((each) => each.tookMs * Math.max(1, all / each.people))
  const leastMs = Math.max((people - 1) * least, near.length > 0 ? Math.min(...leastOf) : 0)
  const mostMs = Math.max(all * (near.length > 0 ? least : most), ...mostOf)
  return { leastMs: leastMs / margin, mostMs: mostMs * margin + graceMs }
}
