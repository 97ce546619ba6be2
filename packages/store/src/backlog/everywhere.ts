import { classes, type MessageClass, shardName } from '@courier-fleet/api-types'

export function shardNames(shards: number): string[] {
  return Array.from({ length: shards }, (_unused, index) => shardName(index))
}

/** Reads something of every shard and class, all at once so that the commands travel together. */
export async function everywhere<T>(
  shards: number,
  read: (shard: string, cls: MessageClass) => Promise<readonly T[]>,
): Promise<T[]> {
  const found = await Promise.all(shardNames(shards).flatMap((shard) => classes.map((cls) => read(shard, cls))))
  return found.flat()
}
