/**
 * Senders who may send less than before. What they had accepted by then waits for an operator when it falls due (lua/wake.lua); what
 * is accepted later was checked against what they may now. Beside a sender stand the tokens of whom they have lost, each with a time of its
 * own: what names them is held.
 */

import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { redisNow } from './connection/client.ts'
import { keys } from './keys.ts'

/** a call that was let in before may still be accepted for so long */
const callMs = 5_000
/** of a sender of whom nothing but tokens is barred */
const onlyTokens = '0 -1'
/** stands for all people who are named singly */
export const anyUser = 'user:*'

interface BarDeps {
  readonly redis: Redis
  readonly shards: number
}

async function heldUntil(redis: Redis): Promise<number> {
  return (await redisNow(redis, keys.fleet)) + 1000 + callMs
}

const everywhere = ({ shards }: BarDeps, act: (key: string) => Promise<unknown>) =>
  Promise.all(shardNames(shards).map((shard) => act(keys.barred(shard))))

/** @param power what they might send before, as a number that grows with it; the most of several times counts */
export async function barSender(deps: BarDeps, sender: string, power: number): Promise<void> {
  const { redis } = deps
  const until = await heldUntil(redis)
  await everywhere(deps, async (key) => {
    const most = Math.max(power, barredPower(await redis.hget(key, sender)))
    await redis.hset(key, sender, `${until} ${most}`)
  })
}

/** Where they may send as much as ever again. What waits already goes on waiting. */
export async function unbarSender(deps: BarDeps, sender: string, power: number): Promise<void> {
  const { redis } = deps
  await everywhere(deps, async (key) => {
    const most = barredPower(await redis.hget(key, sender))
    if (most < 0 || power < most) return
    await redis.hset(key, sender, onlyTokens)
    await tidy(redis, key, sender)
  })
}

/** @param tokens whom they could write to and cannot now: `group:…`, `cohort:…`, `topic:…`, `user:…` */
export async function barTokens(deps: BarDeps, sender: string, tokens: readonly string[]): Promise<void> {
  const { redis } = deps
  const until = await heldUntil(redis)
  const bars = Object.fromEntries(tokens.map((token) => [`${sender} ${token}`, until]))
  await everywhere(deps, async (key) => {
    // first the tokens: wake looks at them where the sender stands
    await redis.hset(key, bars)
    await redis.hsetnx(key, sender, onlyTokens)
  })
}

export async function unbarTokens(deps: BarDeps, sender: string, tokens: readonly string[]): Promise<void> {
  const { redis } = deps
  await everywhere(deps, async (key) => {
    await redis.hdel(key, ...tokens.map((token) => `${sender} ${token}`))
    await tidy(redis, key, sender)
  })
}

/** Forgets a sender of whom nothing is barred. */
async function tidy(redis: Redis, key: string, sender: string): Promise<void> {
  if ((await redis.hget(key, sender)) !== onlyTokens) return
  const fields = await redis.hkeys(key)
  if (!fields.some((field) => field.startsWith(`${sender} `))) await redis.hdel(key, sender)
}

const barredPower = (text: string | null) => Number(text?.split(' ')[1] ?? -1)
