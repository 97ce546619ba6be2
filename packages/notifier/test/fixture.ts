/** Notifiers in this process on a Redis of their own, with people, and receivers on real sockets. */
import { historyKeyOf, parseHistoryKey, type SubscriptionResource, shardNames } from '@courier-fleet/api-types'
import { wakeShard } from '@courier-fleet/couriers'
import { createApiKeys, createDirectory } from '@courier-fleet/directory'
import { silentLog, systemClock } from '@courier-fleet/process'
import {
  connectSubscriber,
  createHistories,
  joinFleet,
  keys,
  newHistoryRef,
  type Subscriber,
  startLiveSettings,
} from '@courier-fleet/store'
import { createSubscriptions, newSubscriptionId, type Subscription, secretHolder } from '@courier-fleet/subscriptions'
import { freshRedis, until } from '@courier-fleet/testkit'
import { createGuardedClient, guardedSettings, newSecret, sealingKey, sealSecret } from '@courier-fleet/webhooks'
import { createNotifier, type Notifier, type NotifierDeps } from '../src/notifier.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const shards = 2
export const environment = {
  HTTP_ALLOW_PLAIN: 'on',
  HTTP_ALLOW_NETS: '127.0.0.0/8',
  FLEET_SECRET: 'a secret of tests that is long enough',
}

export async function createFixture() {
  const fresh = await freshRedis()
  const { redis } = fresh
  await joinFleet(redis, shards)
  const sealing = sealingKey(environment) as NonNullable<ReturnType<typeof sealingKey>>
  const clock = systemClock
  const directory = createDirectory({ redis, country: 'RU' })
  const apiKeys = createApiKeys({ redis, clock })
  const histories = createHistories({ redis, shards })
  const subscriptions = createSubscriptions({ redis, shards, clock })
  const ends: (() => Promise<unknown>)[] = [() => fresh.stop()]
  const secret = newSecret()
  let started = 0
  const counted: string[] = []
  const figures: NotifierDeps['figures'] = { count: (name, labels) => counted.push([name, ...labels].join(' ')) }
  for (const [id, role] of [
    ['dean', 'staff'],
    ['root', 'admin'],
  ] as const)
    await directory.putPerson({ id, name: id, role, timeZone: 'UTC', language: 'en' })

  return {
    redis,
    url: fresh.url,
    shards,
    directory,
    apiKeys,
    histories,
    subscriptions,
    secret,
    counted,

    async startNotifier(
      changes: Partial<NotifierDeps> & { readonly env?: Record<string, string> } = {},
    ): Promise<Notifier> {
      const { env = {}, ...others } = changes
      const subscriber = connectSubscriber(fresh.url, { name: 'notifier-events' })
      const settings = await startLiveSettings({ redis, subscriber, log: silentLog })
      const client = createGuardedClient(guardedSettings({ ...environment, ...env }))
      started += 1
      const name = `notifier-${started}`
      const deps = {
        redis,
        subscriber,
        shards,
        name,
        directory,
        apiKeys,
        histories,
        settings,
        client,
        sealing,
        clock,
        figures,
      }
      const notifier = createNotifier({ ...deps, retryScale: 0.02, runningMs: 1_000, log: silentLog, ...others })
      let stopping: Promise<void> | undefined
      const stop = () => {
        stopping ??= notifier.stop().then(async () => {
          settings.stop()
          await client.close()
          subscriber.disconnect()
        })
        return stopping
      }
      ends.unshift(stop)
      await notifier.start()
      return { ...notifier, stop }
    },

    /** Hears nothing, ever. */
    deafSubscriber(): Subscriber {
      const deaf = { on: () => deaf, off: () => deaf, subscribe: async () => 0 }
      return deaf as unknown as Subscriber
    },

    /** A message that is due far ahead. @returns its key */
    async put(message: { readonly text: string; readonly secret?: string }, sender = 'root'): Promise<string> {
      const ref = newHistoryRef(sender, shards)
      await histories.put({
        ...{
          ref,
          issued: false,
          digest: ref.id,
          source: 'api',
          to: ['user:dean'],
          class: 'normal',
          audience: ['dean'],
          channels: ['vk'],
        },
        ...message,
        dueMs: Date.now() + 3_600_000,
        expiresMs: Date.now() + 7_200_000,
      } as Parameters<typeof histories.put>[0])
      return historyKeyOf(ref)
    },

    /** Has a message that was put start now. */
    async run(key: string): Promise<void> {
      const ref = parseHistoryKey(key)
      await histories.reschedule(ref, 0)
      const isRunning = async () => (await wakeShard(redis, ref.shard, 10)) > 0
      await until(isRunning, 'it is due')
    },

    /** What was accepted of a sender. */
    async messagesOf(sender: string) {
      const found = []
      for (const shard of shardNames(shards))
        for (const [, [, id]] of await redis.xrange(keys.sent(shard, sender), '-', '+'))
          found.push(await histories.snapshot({ shard, sender, id: id as string }))
      return Promise.all(found.filter((each) => each !== undefined).map((each) => histories.view(each)))
    },

    async startReceiver(): Promise<Receiver> {
      const receiver = await startReceiver(() => secret)
      ends.unshift(receiver.stop)
      return receiver
    },

    subscribe: (
      to: { readonly url: string },
      resource: SubscriptionResource,
      resourceId?: string,
      owner = 'root',
      id = newSubscriptionId(),
    ): Promise<Subscription> =>
      subscriptions.create({
        id,
        owner,
        url: to.url,
        resource,
        ...(resourceId === undefined ? {} : { resourceId }),
        sealedSecret: sealSecret(sealing, secret, secretHolder(id)),
      }),

    async stop(): Promise<void> {
      for (const end of ends) await end()
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>
