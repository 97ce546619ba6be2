/** Where the addresses of a line go among those that the person has on the channel. */
import type { Addition } from '../contact-scripts.ts'
import type { WrittenAddress } from './roster-line.ts'

/**
 * One they have already stays where it is. A new one replaces what stands at its own place, unless the line has that one, too; then what
 * stands at the place of another column of the line, and is not in it; else it goes behind. So there are never more than there are columns,
 * or were before.
 */
export function placeAddresses(now: readonly string[], written: readonly WrittenAddress[]): Addition[] {
  const listed = new Set(written.map(({ address }) => address))
  const given = written.map(({ place }) => place)
  const isFree = (place: number) => now[place] !== undefined && !listed.has(now[place])
  const free = new Set(given.filter(isFree))
  const added = written.filter(({ address }) => !now.includes(address))
  const own = new Map(added.flatMap((each) => (free.delete(each.place) ? [[each, each.place] as const] : [])))
  const isBehind = ({ place }: WrittenAddress) => now[place] === undefined
  const left = free.values()
  return added.map((each) => {
    const place = own.get(each) ?? (isBehind(each) ? undefined : left.next().value)
    return { address: each.address, insteadOf: place === undefined ? undefined : now[place] }
  })
}

/** What they have once that is done. */
export const withAdditions = (now: readonly string[], additions: readonly Addition[]): string[] => [
  ...now.map((address) => additions.find(({ insteadOf }) => insteadOf === address)?.address ?? address),
  ...additions.flatMap(({ address, insteadOf }) => (insteadOf === undefined ? [address] : [])),
]
