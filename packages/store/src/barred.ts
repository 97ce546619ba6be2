/**
 * Senders who may send less than before. What they had accepted by then waits for an operator when it falls due (lua/wake.lua); what
 * is accepted later was checked against what they may now.
 */
import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from './keys.ts'

/** a call that was let in before may still be accepted for so long */
const callMs = 5_000

interface BarDeps {
  readonly redis: Redis
  readonly shards: number
}

/** @param power what they might send before, as a number that grows with it; the most of several times counts */
export async function barSender({ redis, shards }: BarDeps, sender: string, power: number): Promise<void> {
  const [seconds] = await redis.time()
  const until = (Number(seconds) + 1) * 1000 + callMs
  await Promise.all(
    shardNames(shards).map(async (shard) => {
      const most = Math.max(power, barredPower(await redis.hget(keys.barred(shard), sender)))
      await redis.hset(keys.barred(shard), sender, `${until} ${most}`)
    }),
  )
}

/** Where they may send as much as ever again. What waits already goes on waiting. */
export async function unbarSender({ redis, shards }: BarDeps, sender: string, power: number): Promise<void> {
  await Promise.all(
    shardNames(shards).map(async (shard) => {
      const most = barredPower(await redis.hget(keys.barred(shard), sender))
      if (most >= 0 && power >= most) await redis.hdel(keys.barred(shard), sender)
    }),
  )
}

const barredPower = (text: string | null) => Number(text?.split(' ')[1] ?? -1)
