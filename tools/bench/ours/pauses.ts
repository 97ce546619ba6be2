import type { Server } from '../server/server.ts'

/**
 * Counts how often a courier told the processes of its account to pause: what Telegram says is encrypted on the wire, but
 * each of its throttling answers has this effect, unless a longer pause is on already.
 */
export async function countPauses(server: Server): Promise<{ stop(): Promise<number> }> {
  const subscriber = server.redis.duplicate()
  let pauses = 0
  subscriber.on('pmessage', () => {
    pauses++
  })
  await subscriber.connect()
  await subscriber.psubscribe('__keyspace@0__:pause:*')
  await server.redis.config('SET', 'notify-keyspace-events', 'KEx$')
  return {
    async stop() {
      await server.redis.config('SET', 'notify-keyspace-events', 'Ex')
      subscriber.disconnect()
      return pauses
    },
  }
}
