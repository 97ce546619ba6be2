import {
  atMost,
  createLog,
  processName,
  readSettings,
  retentionMs,
  runProcess,
  systemClock,
} from '@courier-fleet/process'
import {
  announceProcess,
  checkRedis,
  connectRedis,
  connectSubscriber,
  joinFleet,
  keepExpiryEvents,
  reachRedis,
  redisUrl,
  tellOutages,
} from '@courier-fleet/store'
import { createExpiry } from './expiry.ts'
import { createRetention } from './retention.ts'
import { createTimekeeper } from './timekeeper.ts'

const name = processName(`timekeeper-${process.pid}`)
const log = createLog(name)
const stopMs = 2_000
const goodbyeMs = 300

await runProcess(log, async () => {
  const fields = { REDIS_URL: redisUrl, RETENTION_DAYS: retentionMs }
  const { REDIS_URL: url, RETENTION_DAYS: keptMs } = readSettings(process.env, fields)
  const redis = connectRedis(url, { name })
  const subscriber = connectSubscriber(url, { name: `${name}-events` })
  await reachRedis(redis, subscriber)
  tellOutages(redis, log)
  await checkRedis(redis, log)
  const shards = await joinFleet(redis)
  const events = await keepExpiryEvents(redis, log)
  const timekeeper = createTimekeeper({ redis, subscriber, shards, clock: systemClock, log })
  await timekeeper.start()
  const retention = createRetention({ redis, shards, keptMs, log })
  retention.start()
  const expiry = createExpiry({ redis, shards, log })
  expiry.start()
  const announced = announceProcess(redis, { name, role: 'timekeeper' }, () => ({ ready: true }))
  await announced.refresh()
  log.info('started')
  return {
    async stop() {
      events.stop()
      // neither holds anything: a Redis that does not answer need not be waited for
      await atMost(stopMs, Promise.all([timekeeper.stop(), retention.stop(), expiry.stop()]))
      await atMost(goodbyeMs, announced.stop())
      redis.disconnect()
      subscriber.disconnect()
    },
  }
})
