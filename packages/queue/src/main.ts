import {
  announceProcess,
  checkRedis,
  connectRedis,
  createHistories,
  createLog,
  readShards,
  runProcess,
  systemClock,
} from '@courier-fleet/core'
import { createApiKeys, createDirectory } from '@courier-fleet/directory'
import { createTracker } from '@courier-fleet/tracker'
import { buildApp } from './app.ts'
import { connectQueueRedis } from './connect-queue-redis.ts'

const name = process.env.PROCESS_NAME ?? `queue-${process.pid}`
const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const host = process.env.HOST ?? '127.0.0.1'
const port = Number(process.env.PORT ?? 8080)
const country = process.env.FLEET_COUNTRY ?? 'RU'
const clock = systemClock
const log = createLog(name)

await runProcess(log, async () => {
  const redis = connectQueueRedis(url)
  const subscriber = connectRedis(url, { name: `${name}-changes` })
  await Promise.all([redis.connect(), subscriber.connect()])
  await checkRedis(redis, log)
  const shards = await readShards(redis)
  const histories = createHistories({ redis, shards })
  const tracker = createTracker({ subscriber, histories })
  const directory = createDirectory({ redis, clock, country })
  const apiKeys = createApiKeys({ redis, clock })
  const app = await buildApp({ redis, histories, tracker, directory, apiKeys, clock, log, shards })
  await app.listen({ host, port })
  const announced = announceProcess(redis, { name, role: 'queue' }, () => ({ ready: true }))
  await announced.refresh()
  return {
    async stop() {
      await app.close()
      await tracker.stop()
      await announced.stop().catch(() => {}) // without Redis the announcement lapses by itself
      redis.disconnect()
      subscriber.disconnect()
    },
  }
})
