import { createDirectory, fleetCountry, fleetTimeZone } from '@courier-fleet/directory'
import { atMost, createLog, processName, readSettings, runProcess, systemClock } from '@courier-fleet/process'
import {
  announceProcess,
  connectRedis,
  connectSubscriber,
  createFigures,
  createHistories,
  durabilityLevel,
  enterFleet,
  keepRedisSettings,
  redisUrl,
  whenServed,
} from '@courier-fleet/store'
import { createExpiry } from './expiry.ts'
import { createGrowth } from './growth.ts'
import { createHeldPeople } from './held-people.ts'
import { createRetention } from './retention.ts'
import { createStatsHours } from './stats-hours.ts'
import { createTimekeeper } from './timekeeper.ts'
import { createWatcher } from './watcher/watcher.ts'

const name = processName(`timekeeper-${process.pid}`)
const log = createLog(name)
const stopMs = 2_000
const goodbyeMs = 300
const dayMs = 86_400_000
const fields = {
  REDIS_URL: redisUrl,
  REDIS_DURABILITY: durabilityLevel,
  FLEET_COUNTRY: fleetCountry,
  FLEET_TIME_ZONE: fleetTimeZone,
}

await runProcess(log, async () => {
  const {
    REDIS_URL: url,
    REDIS_DURABILITY: level,
    FLEET_COUNTRY: country,
    FLEET_TIME_ZONE: timeZone,
  } = readSettings(process.env, fields)
  const redis = connectRedis(url, { name })
  const subscriber = connectSubscriber(url, { name: `${name}-events` })
  const entered = await enterFleet({ url, redis, subscriber, level, name, env: process.env, log })
  const { shards, durability, settings } = entered
  const redisSettings = await keepRedisSettings(redis, log)
  const timekeeper = createTimekeeper({ redis, subscriber, shards, clock: systemClock, log })
  await timekeeper.start()
  const keptMs = () => settings.current().retentionDays * dayMs
  const retention = createRetention({ redis, shards, keptMs, log })
  retention.start()
  settings.changed(retention.hurry)
  const expiry = createExpiry({ redis, shards, hasRunning: timekeeper.hasRunning, log })
  expiry.start()
  const heldPeople = createHeldPeople({ redis, shards, settings, log })
  heldPeople.start()
  const statsHours = createStatsHours({ redis, shards, log })
  statsHours.start()
  const growth = createGrowth({ redis, durability, log })
  growth.start()
  const directory = createDirectory({ redis, country })
  const watcher = createWatcher({
    redis,
    durability,
    shards,
    settings,
    timeZone,
    name,
    histories: createHistories({ redis, shards }),
    languagesOf: async (people) => (await directory.findPeople(people)).map((person) => person?.language),
    log,
  })
  watcher.start()
  const figures = createFigures(redis)
  const announced = announceProcess(redis, { name, role: 'timekeeper' }, () => ({
    ready: true,
    settings: settings.current().version,
  }))
  settings.changed(() => announced.refresh().catch(() => {})) // tried again by itself
  await whenServed(redis, log, announced.refresh)
  log.info('started')
  return {
    async stop() {
      redisSettings.stop()
      entered.unfollow()
      // neither holds anything: a Redis that does not answer need not be waited for
      await atMost(
        stopMs,
        Promise.all([
          timekeeper.stop(),
          retention.stop(),
          expiry.stop(),
          heldPeople.stop(),
          statsHours.stop(),
          growth.stop(),
          watcher.stop(),
        ]),
      )
      await atMost(goodbyeMs, Promise.all([announced.stop(), figures.stop()]))
      entered.close()
    },
  }
})
