/** Which addresses of the network may be called. */
import { BlockList, isIP } from 'node:net'
import { type Range, specialRanges4, specialRanges6 } from './special-ranges.ts'

interface Special {
  readonly what: string
  readonly list: BlockList
}

const specialOf = (ranges: readonly Range[], family: 'ipv4' | 'ipv6'): readonly Special[] =>
  ranges.map(([network, prefix, what]) => {
    const list = new BlockList()
    list.addSubnet(network, prefix, family)
    return { what, list }
  })

const special4 = specialOf(specialRanges4, 'ipv4')
const special6 = specialOf(specialRanges6, 'ipv6')

/**
 * Why nothing may be sent to an address; undefined when it may be.
 * @param allowed networks of the operator's own
 */
export function whyNotCalled(address: string, allowed: BlockList): string | undefined {
  const version = isIP(address)
  if (version === 0) return 'no address'
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (allowed.check(address, family)) return undefined
  return (version === 4 ? special4 : special6).find(({ list }) => list.check(address, family))?.what
}
