/** Streams as processes leave them behind, with times of long ago, on an empty Redis database. */

import { classes, shardNames } from '@courier-fleet/api-types'
import { freshRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { useChannel } from '../../src/backlog/channels.ts'
import { type Backlog, type ChannelBacklog, readBacklog } from '../../src/backlog/read-backlog.ts'
import { connectNode } from '../../src/connection/index.ts'
import { keys } from '../../src/keys.ts'
import { announceProcess, type ProcessInfo } from '../../src/process-info.ts'

export const shards = 16

export interface Fixture {
  readonly redis: Redis
  read(): Promise<Backlog>
  /** @throws Error when the fleet does not know it */
  channel(name: string): Promise<ChannelBacklog>
  /** Gives a channel its groups and puts it in use, as its first courier does. */
  use(channel: string): Promise<void>
  /** A courier process that lives until the end of the test. */
  courier(channel: string, more?: Partial<Pick<ProcessInfo, 'account' | 'leaseMs' | 'ready'>>): Promise<void>
  /** An entry added so long ago. Those of one shard in order: the oldest first. */
  work(channel: string, agoMs: number, shard?: string): Promise<string>
  /** As wake does for a channel that a sender names and nobody has started. */
  name(channel: string): Promise<void>
  /** Reads what the channel has not read, renewed last so long ago. */
  claim(channel: string, idleMs: number, shard?: string): Promise<void>
  due(inMs: number, shard?: string): Promise<void>
  stop(): Promise<void>
}

export async function createFixture(): Promise<Fixture> {
  const fresh = await freshRedis()
  const redis = connectNode(fresh.url, { name: 'backlog' })
  await redis.connect()
  const couriers: ReturnType<typeof announceProcess>[] = []
  let messages = 0
  const read = () => readBacklog(redis, shards)
  const newMember = () => {
    messages += 1
    return `dean:message-${messages}`
  }
  const entryId = (agoMs: number) => `${Date.now() - agoMs}-${messages}`

  return {
    redis,
    read,
    async channel(name) {
      const found = (await read()).channels.find(({ channel }) => channel === name)
      if (!found) throw new Error(`${name} is not known`)
      return found
    },
    async use(channel) {
      const streams = shardNames(shards).flatMap((shard) => classes.map((cls) => keys.work(shard, channel, cls)))
      await Promise.all(streams.map((stream) => redis.xgroup('CREATE', stream, channel, '0', 'MKSTREAM')))
      await useChannel(redis, shards, channel)
    },
    async name(channel) {
      await redis.hsetnx(keys.channels('07'), channel, 'named')
    },
    async courier(channel, { ready = true, ...more } = {}) {
      const name = `courier-${channel}-${couriers.length}`
      const announced = announceProcess(redis, { name, role: 'courier', channel, ...more }, () => ({ ready }))
      couriers.push(announced)
      await announced.refresh()
    },
    async work(channel, agoMs, shard = '07') {
      const piece = ['message', newMember(), 'from', 0, 'to', 100]
      return (await redis.xadd(keys.work(shard, channel, 'normal'), entryId(agoMs), ...piece)) as string
    },
    async claim(channel, idleMs, shard = '07') {
      const consumer = `${channel}-1`
      const stream = keys.work(shard, channel, 'normal')
      await redis.xreadgroup('GROUP', channel, consumer, 'STREAMS', stream, '>')
      const pending = (await redis.xpending(stream, channel, '-', '+', 1000)) as [string][]
      for (const [entry] of pending) await redis.xclaim(stream, channel, consumer, 0, entry, 'IDLE', idleMs, 'JUSTID')
    },
    async due(inMs, shard = '03') {
      await redis.zadd(keys.due(shard), Date.now() + inMs, `${newMember()}:0`)
    },
    async stop() {
      await Promise.all(couriers.map((courier) => courier.stop()))
      redis.disconnect()
      await fresh.stop()
    },
  }
}
