/** The subscriptions there are. Redis holds them in one slot, so that each change of one is a step of its own. */
import { randomBytes } from 'node:crypto'
import { Problem, type SubscriptionResource } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { defineScript, flagReply, hints, keys, optionalReply, textReply } from '@courier-fleet/store'
import { createChanges, type SubscriptionChanges } from './change-subscription.ts'
import {
  type Followed,
  readSubscription,
  resourceOf,
  type Subscription,
  targetOf,
  writeSubscription,
} from './subscription.ts'
import { mendWatches, unwatch, type WatchesDeps, watch } from './watches.ts'

const addScript = defineScript('add-subscription', {
  keys: ['record', 'subscribed', 'owned', 'all'],
  args: ['id', 'target', 'max'],
  reply: optionalReply(textReply),
})
const removeScript = defineScript('remove-subscription', {
  keys: ['record', 'subscribed', 'owned', 'lease', 'due', 'again', 'views', 'sending', 'all'],
  args: ['id', 'target'],
  reply: flagReply,
})

/** What notifiers keep of a subscription while they are at work on it. */
export const workKeys = (id: string) => ({
  lease: keys.subscriptionLease(id),
  due: keys.subscriptionDue(id),
  again: keys.subscriptionAgain(id),
  views: keys.subscriptionViews(id),
  sending: keys.subscriptionSending(id),
})

export const maxSubscriptions = 20

export const newSubscriptionId = (): string => randomBytes(8).toString('hex')

/** Whose its secrets are: sealed for it, they do not open for another. */
export const secretHolder = (id: string): string => `subscription:${id}`

export interface NewSubscription extends Followed {
  /** of newSubscriptionId() */
  readonly id: string
  readonly owner: string
  readonly keyId?: string
  readonly url: string
  readonly sealedSecret: string
}

export interface Subscriptions extends SubscriptionChanges {
  /** @throws Problem 409 `already-subscribed` · 409 `too-many-subscriptions` */
  create(input: NewSubscription): Promise<Subscription>
  get(id: string): Promise<Subscription | undefined>
  /** Of one owner, or of everybody; the oldest first. */
  list(owner?: string): Promise<Subscription[]>
  /** What each of them follows, by id: read at once, and not the subscriptions themselves. */
  kinds(): Promise<Map<string, SubscriptionResource>>
  /** @returns whether it was there */
  remove(subscription: Subscription): Promise<boolean>
  /** Has what it follows marked from now on. Safe to repeat. */
  watch(subscription: Subscription): Promise<void>
  /** See watches.ts: for whoever tells subscribers, as it starts and once a minute. */
  mendWatches(): Promise<void>
}

interface SubscriptionsDeps extends WatchesDeps {
  readonly clock: Clock
}

export function createSubscriptions({ redis, shards, clock }: SubscriptionsDeps): Subscriptions {
  const watches = { redis, shards }
  const read = async (id: string) => readSubscription(id, await redis.hgetall(keys.subscription(id)))
  const placesOf = ({ id, owner }: Pick<Subscription, 'id' | 'owner'>) => ({
    record: keys.subscription(id),
    subscribed: keys.subscribed,
    owned: keys.subscriptionsOf(owner),
    all: keys.subscriptionsDue,
  })

  async function list(owner?: string): Promise<Subscription[]> {
    const ids =
      owner === undefined ? await redis.hvals(keys.subscribed) : await redis.smembers(keys.subscriptionsOf(owner))
    const found = (await Promise.all(ids.map(read))).filter((each) => each !== undefined)
    return found.sort((one, other) => one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1))
  }

  return {
    async create({ sealedSecret, ...input }) {
      const { id } = input
      const createdMs = clock.now()
      const subscription = { ...input, createdMs, replayMs: createdMs, secrets: [{ sealed: sealedSecret }] }
      const args = { id, target: targetOf(input), max: maxSubscriptions }
      const added = await addScript(redis, placesOf(subscription), args, writeSubscription(subscription))
      if (added === undefined) throw tooMany()
      if (added !== id) throw alreadySubscribed((await read(added))?.owner === input.owner ? added : undefined)
      await watch(watches, subscription)
      await redis.spublish(hints.subscription, id)
      return subscription
    },

    get: read,

    list,

    async kinds() {
      const targets = Object.entries(await redis.hgetall(keys.subscribed))
      return new Map(targets.map(([target, id]) => [id, resourceOf(target)]))
    },

    async remove(subscription) {
      const args = { id: subscription.id, target: targetOf(subscription) }
      const existed = await removeScript(redis, { ...placesOf(subscription), ...workKeys(subscription.id) }, args)
      await unwatch(watches, subscription)
      await redis.unlink(keys.deliveries(subscription.id))
      return existed
    },

    ...createChanges({ redis, clock }),

    watch: (subscription) => watch(watches, subscription),

    mendWatches: () => mendWatches(watches, list),
  }
}

/** @param own id of the one there is, where it is the caller's own */
function alreadySubscribed(own: string | undefined): Problem {
  const which = own === undefined ? 'somebody has' : `with ${own} you have`
  return new Problem(409, 'already-subscribed', `${which} subscribed this URL to this resource and id already`)
}

const tooMany = () =>
  new Problem(
    409,
    'too-many-subscriptions',
    `you have ${maxSubscriptions} subscriptions: remove one that is not needed any more`,
  )
