/** A small fleet in one process, on an empty Redis database: histories, a timekeeper, runners of fake couriers. */

import {
  type HistoryRef,
  type HistoryView,
  memberOf,
  parseHistoryKey,
  type ReceiptView,
} from '@courier-fleet/api-types'
import { createDirectory, type Directory } from '@courier-fleet/directory'
import { type Clock, silentLog, steadyClock, systemClock } from '@courier-fleet/process'
import {
  applyRedisSettings,
  connectRedis,
  connectSubscriber,
  createFigures,
  createHistories,
  type Durability,
  type Generations,
  type Histories,
  hints,
  keys,
  type LiveSettings,
  masterOnly,
  oneGeneration,
  type PutInput,
  type RedisNode,
  reachRedis,
  type Snapshot,
  type Subscriber,
  startLiveSettings,
} from '@courier-fleet/store'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { createTimekeeper } from '@courier-fleet/timekeeper'
import {
  createBreakers,
  createGuardedClient,
  guardedSettings,
  type HostLookup,
  newSecret,
} from '@courier-fleet/webhooks'
import type { Redis } from 'ioredis'
import type { Courier } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { createPacer, type SharedPacer } from '../../src/engine/pace/pacer.ts'
import { createRechecks } from '../../src/engine/rules/rechecks.ts'
import { createRunner, type Runner } from '../../src/engine/runner.ts'
import { tuneCourier } from '../../src/tuned-courier.ts'

interface RunOptions {
  /** so long that it lapses only where a test is about that */
  readonly leaseMs?: number
  readonly consumer?: string
  readonly url?: string
  readonly clock?: Clock
  readonly onPacer?: (pacer: SharedPacer) => void
  /** in the place of DNS */
  readonly lookup?: HostLookup
  readonly generations?: Generations
  readonly durability?: Durability
}

export interface Fixture {
  readonly redis: Redis
  readonly url: string
  readonly directory: Directory
  readonly histories: Histories
  /** Links `count` people `p00000…` to addresses 1001… (`sms`: +79000001001…). @returns their ids */
  people(count: number, channel?: string): Promise<string[]>
  put(audience: readonly string[], more?: Partial<PutInput>): Promise<HistoryRef>
  /** `url`: another way to the same database; `onPacer`: what keeps the rate of the courier */
  run(courier: Courier, options?: RunOptions): Promise<Runner>
  get(ref: HistoryRef): Promise<HistoryView>
  /** of the first thousand people */
  receipts(ref: HistoryRef): Promise<ReceiptView[]>
  settled(ref: HistoryRef): Promise<HistoryView>
  /** The time has come of the message, or of those of it who wait: as when the clock shows when they are due. */
  fallDue(ref: HistoryRef): Promise<void>
  /** Its time is over. Whoever waits finds that when they are due. */
  hasExpired(ref: HistoryRef): Promise<void>
  /** Every courier decides by the newest settings from now on. */
  settingsAreKnown(): Promise<void>
  stop(): Promise<void>
}

const shards = 2
/** what is on this machine may be called */
const loopback = guardedSettings({ HTTP_ALLOW_PLAIN: 'on', HTTP_ALLOW_NETS: '127.0.0.1' })
/** signs every recheck */
export const recheckSecret = newSecret()

/** On a database of its own, or on one of the caller's. */
export async function createFixture(database?: Pick<FreshRedis, 'url' | 'stop'>): Promise<Fixture> {
  const fresh = database ?? (await freshRedis())
  const connections: { disconnect(): void }[] = []
  const connect = async (name: string, url = fresh.url) => {
    const redis = connectRedis(url, { name }) as RedisNode
    connections.push(redis)
    await reachRedis(silentLog, redis)
    return redis
  }
  const listen = (name: string, url = fresh.url) => {
    const subscriber = connectSubscriber(url, { name })
    connections.push(subscriber)
    return subscriber
  }
  const redis = await connect('fixture')
  await applyRedisSettings(redis)
  const directory = createDirectory({ redis, country: 'RU' })
  const histories = createHistories({ redis, shards })
  const timekeeper = createTimekeeper({
    redis,
    subscriber: listen('timekeeper-events'),
    shards,
    clock: systemClock,
    log: silentLog,
  })
  await timekeeper.start()
  const runners: Runner[] = []
  const settings: LiveSettings[] = []
  const live = async (own: Redis, subscriber: Subscriber) => {
    const one = await startLiveSettings({ redis: own, subscriber, log: silentLog })
    settings.push(one)
    return one
  }
  let bodies = 0

  const snapshot = async (ref: HistoryRef) => (await histories.snapshot(ref)) as Snapshot
  const get = async (ref: HistoryRef) => histories.view(await snapshot(ref))

  return {
    redis,
    url: fresh.url,
    directory,
    histories,
    get,
    receipts: async (ref) => (await histories.receipts(await snapshot(ref), { from: 0, limit: 1000 })).rows,
    async people(count, channel = 'vk') {
      const ids = Array.from({ length: count }, (_unused, index) => `p${String(index).padStart(5, '0')}`)
      await Promise.all(
        ids.map(async (id, index) => {
          await directory.putPerson({ id, name: id, role: 'student', timeZone: 'Europe/Moscow', language: 'ru' })
          await directory.linkContact(channel, id, channel === 'sms' ? `+7900000${1001 + index}` : String(1001 + index))
        }),
      )
      return ids
    },
    async put(audience, more = {}) {
      const ref = parseHistoryKey(await histories.issue('dean'))
      bodies += 1
      await histories.put({
        ref,
        issued: true,
        digest: `body-${bodies}`,
        source: 'api',
        text: 'Занятия отменены',
        to: ['group:all'],
        class: 'normal',
        audience,
        dueMs: 0,
        expiresMs: 0,
        ...more,
      })
      return ref
    },
    async run(
      courier,
      {
        leaseMs = 60_000,
        consumer = `${courier.channel}-${runners.length}`,
        url,
        onPacer,
        clock = steadyClock,
        lookup,
        generations = oneGeneration,
        durability = masterOnly,
      } = {},
    ) {
      const own = await connect(consumer, url)
      const subscriber = listen(`${consumer}-events`, url)
      const followed = await live(own, subscriber)
      const tuned = tuneCourier(courier, followed)
      const reports = createDeliveryReports({ redis: own, channel: courier.channel })
      const pacer = createPacer({ redis: own, courier: () => tuned, weights: () => followed.current().weights })
      onPacer?.(pacer)
      const runner = createRunner({
        redis: own,
        subscriber,
        shards,
        consumer,
        generations,
        durability,
        courier: tuned,
        directory: createDirectory({ redis: own, country: 'RU' }),
        pacer,
        reports,
        figures: createFigures(own),
        rechecks: createRechecks({
          redis: own,
          client: createGuardedClient(loopback, lookup ? { lookup } : {}),
          breakers: createBreakers(own),
          secretsOf: async () => [recheckSecret],
          clock,
          wall: systemClock,
          logThrottled() {},
        }),
        settings: followed,
        fleetZone: 'Europe/Moscow',
        clock,
        log: silentLog,
        leaseMs,
      })
      runners.push(runner)
      await runner.start()
      return runner
    },
    settled: (ref) =>
      until(async () => {
        const history = await get(ref)
        return history.state === 'settled' && history
      }, 'it is settled'),
    async fallDue(ref) {
      const due = keys.due(ref.shard)
      const own = (await redis.zrange(due, '0', '-1')).filter((member) => member.startsWith(`${memberOf(ref)}:`))
      const dueMs = Date.now() + 10
      for (const member of own) {
        await redis.zadd(due, 'XX', dueMs, member)
        await redis.pexpireat(keys.delivery(ref, Number(member.split(':').at(-1))), dueMs)
      }
      // as those tell the timekeeper who put a message or a wave on the due set
      await redis.spublish(hints.dueHead(ref.shard), String(dueMs))
    },
    hasExpired: async (ref) => void (await redis.hset(keys.history(ref), 'expires', Date.now())),
    settingsAreKnown: async () => void (await Promise.all(settings.map((one) => one.look()))),
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop(500)))
      for (const one of settings) one.stop()
      await timekeeper.stop()
      for (const connection of connections) connection.disconnect()
      await fresh.stop()
    },
  }
}
