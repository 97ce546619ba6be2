import { grouped, type Log } from '@courier-fleet/process'
import { type Claim, writtenTogether } from './claim.ts'
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
  /** by stream and entry: one name of both for each claim would be made, hashed and thrown away again */
  const held = new Map<string, Map<string, Claim>>()
  const heldOf = ({ stream, entry }: Pick<Claim, 'stream' | 'entry'>) => held.get(stream)?.get(entry)

  return {
    hold(claims) {
      for (const [stream, own] of grouped(claims, (claim) => claim.stream)) {
        const before = held.get(stream) ?? new Map<string, Claim>()
        held.set(stream, before)
        for (const claim of own) before.set(claim.entry, claim)
      }
    },
    drop(claims) {
      // by now it may be held anew, under another delivery count
      for (const claim of claims)
        if (heldOf(claim)?.deliveries === claim.deliveries) held.get(claim.stream)?.delete(claim.entry)
    },
    async renew(shard) {
      const all = [...held.values()].flatMap((own) => [...own.values()])
      const wanted = all.filter((claim) => shard === undefined || claim.ref.shard === shard)
      await Promise.all(
        writtenTogether(wanted, (claim) => claim).map(async (claims) => {
          const kept = await deps.scripts.renew(claims)
          const lost = claims.filter((claim, index) => !kept[index] && heldOf(claim) === claim)
          if (lost.length > 0)
            deps.log.warn({ stream: claims[0]?.stream, claims: lost.length }, 'leases were lost to another process')
        }),
      )
    },
    holds: (claim) => heldOf(claim) !== undefined,
    size: () => [...held.values()].reduce((sum, own) => sum + own.size, 0),
  }
}
