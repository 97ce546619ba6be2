/**
 * By how many shards new things are laid where a fleet has grown (decision 118). A process looks into as many shards as there were when it
 * joined; new things it lays by that number, or by the former one while some other process does not look into all. joinFleet() says it here, and
 * followShards() whenever it is another: a process works for one fleet.
 */
import { shardName } from '@courier-fleet/api-types'

/** As the record of the fleet has it. */
export interface FleetShards {
  /** whoever joins now looks into so many */
  readonly shards: number
  /** by which things were laid before, the smallest first; the last of them still counts until `sinceMs` is there */
  readonly former: readonly number[]
  /** since when new things are laid by `shards`, Unix ms; absent while a growth is under way, and where there was none */
  readonly sinceMs?: number
}

interface Laying {
  /** that this process looks into */
  readonly shards: number
  readonly by: number
  /** the latest first */
  readonly former: readonly number[]
}

/** A shard where something may lie, and by which number it was computed. */
export interface Place {
  readonly shard: string
  readonly laidBy: number
}

let laying: Laying | undefined

export const isGrowing = ({ former, sinceMs }: FleetShards): boolean => former.length > 0 && sinceMs === undefined

/** By how many new things are laid. */
export const laidByOf = (fleet: FleetShards): number =>
  isGrowing(fleet) ? (fleet.former.at(-1) as number) : fleet.shards

/** @param known into so many shards this process looks */
export function fixLaying(fleet: FleetShards | undefined, known = fleet?.shards ?? 0): void {
  if (fleet === undefined) {
    laying = undefined
    return
  }
  const by = Math.min(laidByOf(fleet), known)
  laying = { shards: known, by, former: fleet.former.filter((number) => number < by).reverse() }
}

/** Into so many shards this process looks; undefined where it has joined no fleet. */
export const knownShards = (): number | undefined => laying?.shards

const layingOf = (shards: number): Laying => (laying?.shards === shards ? laying : { shards, by: shards, former: [] })

/** Whether this process looks into shards that nothing new is laid into yet, as far as it knows: others have to be started anew. */
export const laysByFewer = (): boolean => laying !== undefined && laying.by < laying.shards

/** @param shards into so many whoever asks looks. @param hash of what is to be laid */
export const shardBy = (hash: number, shards: number): string => shardName(hash % layingOf(shards).by)

/** Where something with this hash is laid, and then each other place where it may have been laid before. */
export function placesBy(hash: number, shards: number): Place[] {
  const { by, former } = layingOf(shards)
  const places = [by, ...former].map((number) => ({ shard: shardName(hash % number), laidBy: number }))
  return places.filter(({ shard }, index) => places.findIndex((other) => other.shard === shard) === index)
}
