import { grouped, type Log } from '@courier-fleet/process'
import { type Claim, writtenBy } from './claim.ts'
import type { ClaimScripts } from './claim-scripts.ts'

/** The claims this process holds, kept alive while they are worked on. */
export interface Leases {
  hold(claims: readonly Claim[]): void
  drop(claims: readonly Claim[]): void
  holds(claim: Pick<Claim, 'stream' | 'entry'>): boolean
  /** @param shard absent: of all shards */
  renew(shard?: string): Promise<void>
  size(): number
}

export function createLeases(deps: { scripts: Pick<ClaimScripts, 'renew'>; log: Log }): Leases {
  const held = new Map<string, Claim>()
  const name = (claim: Pick<Claim, 'stream' | 'entry'>) => `${claim.stream} ${claim.entry}`

  return {
    hold(claims) {
      for (const claim of claims) held.set(name(claim), claim)
    },
    drop(claims) {
      // by now it may be held anew, under another delivery count
      for (const claim of claims) if (held.get(name(claim))?.deliveries === claim.deliveries) held.delete(name(claim))
    },
    async renew(shard) {
      const wanted = [...held.values()].filter((claim) => shard === undefined || claim.ref.shard === shard)
      await Promise.all(
        [...grouped(wanted, writtenBy).values()].map(async (claims) => {
          const kept = await deps.scripts.renew(claims)
          const lost = claims.filter((claim, index) => !kept[index] && held.get(name(claim)) === claim)
          if (lost.length > 0)
            deps.log.warn({ stream: claims[0]?.stream, claims: lost.length }, 'leases were lost to another process')
        }),
      )
    },
    holds: (claim) => held.has(name(claim)),
    size: () => held.size,
  }
}
