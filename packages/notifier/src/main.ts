import { createApiKeys, createDirectory, fleetCountry } from '@courier-fleet/directory'
import { atMost, createLog, processName, readSettings, runProcess, systemClock } from '@courier-fleet/process'
import {
  announceProcess,
  connectRedis,
  connectSubscriber,
  createFigures,
  createHistories,
  enterFleet,
  redisUrl,
  whenServed,
} from '@courier-fleet/store'
import { createGuardedClient, guardedSettings, retryScale, sealingKey } from '@courier-fleet/webhooks'
import { nanoid } from 'nanoid'
import { createNotifier } from './notifier.ts'

const name = processName(`notifier-${process.pid}`)
const log = createLog(name)
const stopMs = 3_000
const goodbyeMs = 300

await runProcess(log, async () => {
  const fields = { REDIS_URL: redisUrl, FLEET_COUNTRY: fleetCountry }
  const { REDIS_URL: url, FLEET_COUNTRY: country } = readSettings(process.env, fields)
  const sealing = sealingKey(process.env)
  if (!sealing) log.warn('FLEET_SECRET is not set: nothing can be signed, so nothing is sent to subscribers')
  const client = createGuardedClient(guardedSettings(process.env))
  const redis = connectRedis(url, { name })
  const subscriber = connectSubscriber(url, { name: `${name}-events` })
  const entered = await enterFleet({ url, redis, subscriber, level: 'master', name, env: process.env, log })
  const { shards, settings } = entered
  const figures = createFigures(redis)
  const notifier = createNotifier({
    redis,
    subscriber,
    shards,
    name: `${name}:${nanoid(8)}`,
    directory: createDirectory({ redis, country, roles: () => settings.current().roles }),
    apiKeys: createApiKeys({ redis, clock: systemClock }),
    histories: createHistories({ redis, shards }),
    settings,
    client,
    figures,
    sealing,
    retryScale: retryScale(process.env),
    runningMs: 1_000,
    clock: systemClock,
    log,
  })
  await notifier.start()
  const announced = announceProcess(redis, { name, role: 'notifier' }, () => ({
    ready: true,
    inFlight: notifier.inFlight(),
    settings: settings.current().version,
  }))
  settings.changed(() => announced.refresh().catch(() => {})) // tried again by itself
  await whenServed(redis, log, announced.refresh)
  log.info('started')
  return {
    async stop() {
      // what is on its way is sent again: a Redis that does not answer need not be waited for
      await atMost(stopMs, notifier.stop())
      entered.unfollow()
      await atMost(goodbyeMs, Promise.all([announced.stop(), figures.stop()]))
      await client.close()
      entered.close()
    },
  }
})
