import { createApiKeys, createDirectory, fleetCountry } from '@courier-fleet/directory'
import {
  apiUrl,
  atMost,
  createLog,
  optional,
  port,
  processName,
  readSettings,
  runProcess,
  systemClock,
  text,
  whole,
  withDefault,
} from '@courier-fleet/process'
import {
  announceProcess,
  connectSubscriber,
  createHistories,
  durabilityLevel,
  enterFleet,
  redisUrl,
  whenServed,
} from '@courier-fleet/store'
import { buildApp } from './app.ts'
import { connectQueueRedis, usualTimeoutMs } from './connect-queue-redis.ts'
import { startMetricsServer } from './fleet/metrics-server.ts'
import { readRules } from './limits/rules.ts'
import { builtWebApp } from './pages/web-app.ts'
import { createWebhooks } from './subscriptions/webhooks.ts'
import { createTracker } from './tracker/index.ts'

const name = processName(`queue-${process.pid}`)
const clock = systemClock
const log = createLog(name)
const goodbyeMs = 300
const dayMs = 86_400_000

const fields = {
  REDIS_URL: redisUrl,
  REDIS_DURABILITY: durabilityLevel,
  REDIS_TIMEOUT_MS: withDefault(whole(500, 600_000), usualTimeoutMs),
  HOST: withDefault(text('an address to listen on, such as 127.0.0.1'), '127.0.0.1'),
  PORT: withDefault(port, 8080),
  FLEET_COUNTRY: fleetCountry,
  METRICS_HOST: withDefault(text('an address to listen on, such as 127.0.0.1'), '127.0.0.1'),
  METRICS_PORT: optional(port),
  PHONES_PAGE_URL: optional(apiUrl('http://127.0.0.1:8090')),
}

await runProcess(log, async () => {
  const settings = readSettings(process.env, fields)
  const { REDIS_URL: url, REDIS_DURABILITY: level, FLEET_COUNTRY: country } = settings
  const rules = readRules(process.env)
  const redis = connectQueueRedis(url, settings.REDIS_TIMEOUT_MS)
  const subscriber = connectSubscriber(url, { name: `${name}-changes` })
  const entered = await enterFleet({ url, redis, subscriber, level, name, env: process.env, log })
  const { shards, durability, settings: live } = entered
  const histories = createHistories({ redis, shards, settings: live })
  const tracker = createTracker({ subscriber, histories })
  const keptMs = () => live.current().retentionDays * dayMs
  const roles = () => live.current().roles
  const directory = createDirectory({ redis, country, keptMs, roles })
  const apiKeys = createApiKeys({ redis, clock, roles })
  const webApp = builtWebApp(settings.PHONES_PAGE_URL)
  const metricsPort = settings.METRICS_PORT
  const metricsElsewhere = metricsPort !== undefined
  const webhooks = createWebhooks(process.env)
  const services = {
    redis,
    durability,
    histories,
    tracker,
    directory,
    apiKeys,
    clock,
    log,
    shards,
    rules,
    settings: live,
  }
  const app = await buildApp({ ...services, webhooks, webApp, metricsElsewhere })
  await app.listen({ host: settings.HOST, port: settings.PORT })
  const metrics = metricsPort
    ? await startMetricsServer({ host: settings.METRICS_HOST, port: metricsPort, read: app.readMetrics, log })
    : undefined
  const announced = announceProcess(redis, { name, role: 'queue' }, () => ({
    ready: true,
    settings: live.current().version,
  }))
  live.changed(() => announced.refresh().catch(() => {})) // tried again by itself
  await whenServed(redis, log, announced.refresh)
  return {
    async stop() {
      await app.close()
      await metrics?.stop()
      await tracker.stop()
      entered.unfollow()
      await atMost(goodbyeMs, announced.stop())
      entered.close()
    },
  }
})
