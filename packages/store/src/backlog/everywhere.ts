import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'

/** Reads something of every shard and class, all at once so that the commands travel together. */
export async function everywhere<T>(
  shards: number,
  read: (shard: string, cls: MessageClass) => Promise<T>,
): Promise<T[]> {
  return Promise.all(shardNames(shards).flatMap((shard) => classes.map((cls) => read(shard, cls))))
}
