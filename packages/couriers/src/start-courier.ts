/** One courier process: reads the environment, builds the adapter and its runner, starts them. */

import { createDirectory, type Directory, fleetCountry, fleetTimeZone } from '@courier-fleet/directory'
import {
  apiUrl,
  atMost,
  createLog,
  createThrottledLog,
  type Env,
  type Log,
  optional,
  processName,
  readSettings,
  steadyClock,
  systemClock,
  whole,
  withDefault,
} from '@courier-fleet/process'
import {
  announceProcess,
  connectRedis,
  connectSubscriber,
  createFigures,
  createHistories,
  defaultLeaseMs,
  durabilityLevel,
  enterFleet,
  generationsFor,
  type LiveSettings,
  noteTarget,
  oneClickSigner,
  type Redis,
  redisUrl,
  whenServed,
} from '@courier-fleet/store'
import {
  breakerTiming,
  createBreakers,
  createGuardedClient,
  createWebhookSecrets,
  guardedSettings,
  retryScale,
  sealingKey,
} from '@courier-fleet/webhooks'
import { nanoid } from 'nanoid'
import type { Courier } from './courier.ts'
import { createDeliveryReports } from './engine/delivery-reports.ts'
import { createLately, type Lately } from './engine/pace/lately.ts'
import { createPacer } from './engine/pace/pacer.ts'
import { createReadFile } from './engine/read-file.ts'
import { createRechecks, type Rechecks } from './engine/rules/rechecks.ts'
import { createRunner, type Runner } from './engine/runner.ts'
import { type AskDeps, createPutAsks } from './engine/texts/ask-to-confirm.ts'
import { openEnvelopes } from './engine/texts/envelopes.ts'
import { createUploads, type UploadsDeps } from './engine/uploads.ts'
import { loadCourier, type ProcessDeps } from './registry.ts'
import { createTellOwner } from './tell-owner.ts'
import { accountInfoOf, paceOf, tuneCourier } from './tuned-courier.ts'

/** with the runner's own two and a half seconds, within the ten that a process has to stop */
const graceMs = 7_000
const goodbyeMs = 300
const fields = {
  REDIS_URL: redisUrl,
  REDIS_DURABILITY: durabilityLevel,
  LEASE_MS: withDefault(whole(1, 3_600_000), defaultLeaseMs),
  FLEET_COUNTRY: fleetCountry,
  FLEET_TIME_ZONE: fleetTimeZone,
}

function rechecksFor(env: Env, redis: Redis, log: Log): Rechecks {
  const secrets = createWebhookSecrets({ redis, sealingKey: sealingKey(env), clock: systemClock })
  return createRechecks({
    redis,
    client: createGuardedClient(guardedSettings(env)),
    // nobody could put a host on again
    breakers: createBreakers(redis, { ...breakerTiming(retryScale(env)), offAfterMs: Number.MAX_SAFE_INTEGER }),
    secretsOf: secrets.valid,
    clock: steadyClock,
    wall: systemClock,
    logThrottled: createThrottledLog((fields, text) => log.error(fields, text)),
  })
}

function uploadsFor(deps: Pick<UploadsDeps, 'redis' | 'courier' | 'log'>, env: Env) {
  const { FILES_URL: filesUrl } = readSettings(env, { FILES_URL: optional(apiUrl('http://queue:8080')) })
  return createUploads({ ...deps, readFile: createReadFile(filesUrl), clock: systemClock })
}

/** @throws Error in one line when the channel is unknown, or the environment lacks what it needs */
export async function startCourier(channel: string, env: Env): Promise<{ stop(): Promise<void> }> {
  const create = await loadCourier(channel)
  const name = processName(`courier-${channel}-${process.pid}`)
  const log = createLog(name)
  const {
    REDIS_URL: url,
    REDIS_DURABILITY: level,
    LEASE_MS: leaseMs,
    FLEET_COUNTRY: country,
    FLEET_TIME_ZONE: fleetZone,
  } = readSettings(env, fields)
  const subscriber = connectSubscriber(url, { name: `${name}-events` })
  const redis = connectRedis(url, { name })
  const entered = await enterFleet({ url, redis, subscriber, level, name, env, log })
  const { shards, durability, settings } = entered
  const generations = generationsFor({ url, redis, level }, shards)
  const figures = createFigures(redis)
  const reports = createDeliveryReports({ redis, channel })
  const pacer = createPacer({ redis, courier: () => courier, weights: () => settings.current().weights })
  const uploads = uploadsFor({ redis, courier: () => courier, log }, env)
  const directory = createDirectory({ redis, country })
  const untuned = create(env, {
    log,
    clock: systemClock,
    pacer,
    uploads,
    ...endpointsOf({ redis, shards, directory, log }, env),
    async onReport(report) {
      figures.count('delivery_reports', [channel, report.state])
      const confirm = durability.begin() // the provider says it no more once this has resolved
      await reports.receive(report)
      await confirm()
    },
  })
  const lately = createLately(systemClock)
  const courier: Courier = lately.listenTo(tuneCourier(untuned, settings))
  const runner = createRunner({
    redis,
    subscriber,
    shards,
    // a name of its own for every start: what an earlier life left behind is taken over, never mistaken for this one's
    consumer: `${name}-${nanoid(8)}`,
    generations,
    durability,
    courier,
    directory,
    pacer,
    reports,
    figures,
    rechecks: rechecksFor(env, redis, log),
    settings,
    ...(await askedFor({ courier, redis, directory }, env)),
    fleetZone,
    clock: steadyClock,
    log,
    leaseMs,
  })

  let isStarted = false
  const { target, account } = courier
  await whenServed(redis, log, () => noteTarget(redis, channel, target))
  const identity = { name, role: 'courier', channel, target, account, leaseMs, startedWith: paceOf(untuned) }
  const announced = announceCourier({ redis, identity, courier, runner, settings, lately, isStarted: () => isStarted })
  await whenServed(redis, log, announced.refresh)
  await runner.start()
  isStarted = true
  await whenServed(redis, log, announced.refresh)
  log.info({ channel, target }, `started, sending to the ${target} ${channel}`)
  return {
    async stop() {
      await runner.stop(graceMs)
      uploads.stop()
      entered.unfollow()
      await atMost(goodbyeMs, Promise.all([announced.stop(), figures.stop()]))
      entered.close()
    },
  }
}

interface Announced {
  readonly redis: Redis
  readonly identity: Parameters<typeof announceProcess>[1]
  readonly courier: Courier
  readonly runner: Runner
  readonly settings: LiveSettings
  readonly lately: Lately
  isStarted(): boolean
}

/** Says what this process is doing, and says it anew whenever that changes. */
function announceCourier({ redis, identity, courier, runner, settings, lately, isStarted }: Announced) {
  const { readiness } = runner
  const announced = announceProcess(redis, identity, () => {
    const notReady = readiness.notReady()
    const { version } = settings.current()
    const working = { inFlight: runner.inFlight(), settings: version, pace: paceOf(courier), lately: lately.tell() }
    const accounts = courier.accounts?.map(accountInfoOf)
    const state = notReady ? { ready: false, notReady } : { ready: isStarted() }
    return { ...state, ...working, ...(accounts ? { accounts } : {}) }
  })
  const tellNow = () => void announced.refresh().catch(() => {}) // tried again by itself
  settings.changed(tellNow)
  lately.events.on('slow-down', tellNow)
  readiness.events.on('change', tellNow)
  return announced
}

interface EndpointsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Directory
  readonly log: Log
}

function endpointsOf({ redis, shards, ...deps }: EndpointsDeps, env: Env): Pick<ProcessDeps, 'breakers' | 'tellOwner'> {
  const breakers = createBreakers(redis, breakerTiming(retryScale(env)))
  const histories = createHistories({ redis, shards })
  return { breakers, tellOwner: createTellOwner({ ...deps, breakers, histories, clock: systemClock }) }
}

/** What only some channels put into their messages. */
const askedFor = async ({ courier, redis, directory }: AskDeps & { readonly courier: Courier }, env: Env) => ({
  envelopes: courier.wantsEnvelopes ? openEnvelopes(redis, env) : undefined,
  oneClick: courier.offersOneClick ? await oneClickSigner(redis) : undefined,
  putAsksInto: await createPutAsks({ courier, redis, directory }),
})
