import type { Redis } from 'ioredis'

/**
 * What a Redis is told from now on, as `monitor` events; whoever asks disconnects it.
 *
 * For `redis.monitor()`: where the first line comes together with the OK, ioredis takes it for an answer that nobody asked for, fails, and leaves a
 * connection behind. Such a connection is ended here, and another one made.
 * @throws Error whatever else the connection fails with
 */
export async function startMonitor(redis: Redis): Promise<Redis> {
  for (;;) {
    const monitor = redis.duplicate({ monitor: true, lazyConnect: false })
    const error = await failureOf(monitor)
    if (!error) return monitor
    monitor.disconnect()
    if (!error.message.startsWith('Command queue state error')) throw error
  }
}

/** @returns undefined once it monitors; an error may come before that, of which it says nothing more */
const failureOf = (monitor: Redis) =>
  new Promise<Error | undefined>((resolve) => {
    monitor.once('monitoring', () => resolve(undefined))
    monitor.on('error', resolve)
  })
