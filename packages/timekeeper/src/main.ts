import {
  announceProcess,
  checkRedis,
  connectRedis,
  createLog,
  enableExpiryEvents,
  readShards,
  runProcess,
  systemClock,
} from '@courier-fleet/core'
import { createTimekeeper } from './timekeeper.ts'

const name = process.env.PROCESS_NAME ?? `timekeeper-${process.pid}`
const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const log = createLog(name)

await runProcess(log, async () => {
  const redis = connectRedis(url, { name })
  const subscriber = connectRedis(url, { name: `${name}-events` })
  await Promise.all([redis.connect(), subscriber.connect()])
  await checkRedis(redis, log)
  await enableExpiryEvents(redis, log)
  const timekeeper = createTimekeeper({ redis, subscriber, shards: await readShards(redis), clock: systemClock, log })
  await timekeeper.start()
  const announced = announceProcess(redis, { name, role: 'timekeeper' }, () => ({ ready: true }))
  await announced.refresh()
  log.info('started')
  return {
    async stop() {
      await timekeeper.stop()
      await announced.stop()
      redis.disconnect()
      subscriber.disconnect()
    },
  }
})
