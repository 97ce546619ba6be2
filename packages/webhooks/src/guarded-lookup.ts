/**
 * The only way from a name to an address: what it answers is what the socket connects to, so that a name which leads
 * elsewhere a moment later changes nothing.
 */
import { Resolver } from 'node:dns/promises'
import type { BlockList, LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import { whyNotCalled } from './addresses.ts'

/** Every address of a name. */
export type HostLookup = (host: string) => Promise<readonly string[]>

/** Nothing was sent, and nothing will be: the address is not to be called. */
export class Blocked extends Error {}

export class NotResolved extends Error {}

/**
 * Not the system's own, which blocks one of four threads of the whole process for as long as a name's server is silent.
 * @param servers undefined: those of the system
 */
export function createHostLookup(servers: readonly string[] | undefined): { lookup: HostLookup; close(): void } {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return {
    async lookup(host) {
      // RFC 6761: these are never asked of a server
      if (/(^|\.)localhost\.?$/.test(host)) return ['127.0.0.1', '::1']
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      const failed = found.find((each) => each.status === 'rejected')
      if (addresses.length === 0 && failed) throw failed.reason
      return addresses
    },
    close: () => resolver.cancel(),
  }
}

/** As a socket asks for it. All addresses of a name must be callable: whoever mixes in one that is not has something in mind. */
export function guardLookup(lookup: HostLookup, allowed: BlockList): LookupFunction {
  const checked = async (host: string) => {
    const addresses = await lookup(host).catch(({ code }) => {
      throw new NotResolved(`the name ${host} cannot be resolved (${code ?? 'no reason given'})`)
    })
    if (addresses.length === 0) throw new NotResolved(`the name ${host} has no address`)
    // which one is not said: it would tell strangers what names of an inner network mean
    if (addresses.some((address) => whyNotCalled(address, allowed)))
      throw new Blocked(`the name ${host} leads to an address that is not public`)
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
  return (host, { all }, callback) => {
    checked(host).then(
      (addresses) => {
        const [first] = addresses
        if (all) callback(null, addresses)
        else if (first) callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}
