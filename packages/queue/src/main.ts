import { createApiKeys, createDirectory } from '@courier-fleet/directory'
import { atMost, createLog, runProcess, systemClock } from '@courier-fleet/process'
import {
  announceProcess,
  checkRedis,
  connectSubscriber,
  createHistories,
  joinFleet,
  reachRedis,
  tellOutages,
} from '@courier-fleet/store'
import { buildApp } from './app.ts'
import { connectQueueRedis } from './connect-queue-redis.ts'
import { readRules } from './rules.ts'
import { createTracker } from './tracker/index.ts'
import { builtWebApp } from './web-app.ts'

const name = process.env.PROCESS_NAME ?? `queue-${process.pid}`
const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const host = process.env.HOST ?? '127.0.0.1'
const port = Number(process.env.PORT ?? 8080)
const country = process.env.FLEET_COUNTRY ?? 'RU'
const rules = readRules(process.env)
const clock = systemClock
const log = createLog(name)
const goodbyeMs = 300

await runProcess(log, async () => {
  const redis = connectQueueRedis(url)
  const subscriber = connectSubscriber(url, { name: `${name}-changes` })
  await reachRedis(redis, subscriber)
  tellOutages(redis, log)
  await checkRedis(redis, log)
  const shards = await joinFleet(redis)
  const histories = createHistories({ redis, shards })
  const tracker = createTracker({ subscriber, histories })
  const directory = createDirectory({ redis, clock, country })
  const apiKeys = createApiKeys({ redis, clock })
  const webApp = builtWebApp(process.env.PHONES_PAGE_URL)
  const app = await buildApp({ redis, histories, tracker, directory, apiKeys, clock, log, shards, rules, webApp })
  await app.listen({ host, port })
  const announced = announceProcess(redis, { name, role: 'queue' }, () => ({ ready: true }))
  await announced.refresh()
  return {
    async stop() {
      await app.close()
      await tracker.stop()
      await atMost(goodbyeMs, announced.stop())
      redis.disconnect()
      subscriber.disconnect()
    },
  }
})
