/** Subscriptions: who is told of which changes. Each is its owner's, told by its owner's rights. */
import {
  deliveryList,
  id,
  Problem,
  replayAccepted,
  replayBody,
  rotatedSecret,
  subscriptionBody,
  subscriptionCreated,
  subscriptionList,
  subscriptionTest,
  subscriptionView,
} from '@courier-fleet/api-types'
import {
  checkResourceId,
  type Followed,
  listDeliveries,
  newSubscriptionId,
  type Subscription,
  secretHolder,
} from '@courier-fleet/subscriptions'
import { newSecret, openSecret, sealSecret } from '@courier-fleet/webhooks'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { closedSignal } from '../http/wait.ts'
import { answers, done } from '../openapi/openapi.ts'
import { ownersMeant, subscriptionFor, viewOf } from '../subscriptions/subscription-views.ts'
import { testSubscription } from '../subscriptions/test-subscription.ts'
import { requireSealingKey, requireUrl } from '../subscriptions/webhooks.ts'

const tags = ['subscriptions']
const params = z.strictObject({
  id: id.describe('id of a subscription, as the list has it').meta({ examples: ['0123456789abcdef'] }),
})
const listQuery = z.strictObject({
  owner: z
    .union([id, z.literal('*')])
    .optional()
    .describe('whose: your own when absent; of one owner, or * for all, for operators')
    .meta({ examples: ['t-gus'] }),
})
const maxReplayMs = 14 * 86_400_000
/** the router takes a verb behind a parameter only where the parameter has a form, and then tells the two apart */
const onePath = '/subscriptions/:id(^[A-Za-z0-9_-]{1,64}$)'

/** what has no form of an id is no such path */
const ofOne = ['404 no-such-route', '404 unknown-subscription'] as const

export function subscriptionRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addCreate(app, deps)
  addRemove(app, deps)
  addRotate(app, deps)
  addTest(app, deps)
  addReplay(app, deps)
}

/** as the audit shows it */
const factsOf = ({ id, resource, resourceId = '*', url }: Subscription) => `${id}: ${resource} ${resourceId}, ${url}`

function addReading(app: App, { redis, subscriptions, clock }: RouteDeps): void {
  app.get(
    '/subscriptions',
    {
      schema: {
        tags,
        operationId: 'listSubscriptions',
        summary: 'Your subscriptions, the oldest first; of others, for operators',
        description: 'What each follows, where it is told, and whether its last attempt was taken.',
        querystring: listQuery,
        response: answers({ 200: subscriptionList }),
      },
    },
    async ({ principal, query }) => {
      const found = await subscriptions.list(ownersMeant(principal, query.owner))
      return { subscriptions: found.map((each) => viewOf(each, clock.now())) }
    },
  )

  app.get(
    onePath,
    {
      config: { problems: [...ofOne] },
      schema: {
        tags,
        operationId: 'readSubscription',
        summary: 'A subscription, without its secret',
        description: 'Your own; any, for operators.',
        params,
        response: answers({ 200: subscriptionView }),
      },
    },
    async ({ principal, params }) =>
      viewOf(await subscriptionFor(subscriptions, principal, params.id, 'oversee'), clock.now()),
  )

  app.get(
    `${onePath}/deliveries`,
    {
      config: { problems: [...ofOne] },
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'What was sent to it in the last 24 hours, attempt by attempt, and what came of it',
        description: 'Only its owner reads this: the bodies are what the owner may read.',
        params,
        response: answers({ 200: deliveryList }),
      },
    },
    async ({ principal, params }) => {
      const { id } = await subscriptionFor(subscriptions, principal, params.id, 'manage')
      return { deliveries: await listDeliveries(redis, id, clock.now()) }
    },
  )
}

/** That there is such a thing now, and its owner may read it. @throws Problem 404 `unknown-resource` */
async function requireReadable(
  { views }: Pick<RouteDeps, 'views'>,
  caller: Caller,
  { resource, resourceId }: Followed,
) {
  if (resourceId === undefined || (await views.viewOf(caller, resource, resourceId))) return
  const detail = `there is no ${resource} "${resourceId}", or none that you may read`
  throw new Problem(404, 'unknown-resource', detail, 'resource_id')
}

function addCreate(app: App, deps: RouteDeps): void {
  const { subscriptions, webhooks, audit, clock } = deps
  app.post(
    '/subscriptions',
    {
      config: {
        problems: [
          '404 unknown-resource',
          '409 already-subscribed',
          '409 too-many-subscriptions',
          '422 refused-url',
          '503 no-fleet-secret',
        ],
        idempotency: 'secret',
      },
      schema: {
        tags,
        operationId: 'createSubscription',
        summary: 'Be told of every change of a resource, or of all of a kind, by a signed POST',
        description: 'Its secret is answered this once. One that is like it in URL, resource and id is a 409.',
        body: subscriptionBody,
        response: answers({ 201: subscriptionCreated }),
      },
    },
    async ({ body, principal: caller }, reply) => {
      const sealingKey = requireSealingKey(webhooks)
      const url = requireUrl(webhooks, body.url, 'url')
      const { resource, resource_id: resourceId } = body
      const followed: Followed = { resource, ...(resourceId === undefined ? {} : { resourceId }) }
      checkResourceId(followed)
      await requireReadable(deps, caller, followed)
      const [id, secret] = [newSubscriptionId(), newSecret()]
      const made = await subscriptions.create({
        id,
        owner: caller.owner,
        ...(caller.keyId === undefined ? {} : { keyId: caller.keyId }),
        url,
        ...followed,
        sealedSecret: sealSecret(sealingKey, secret, secretHolder(id)),
      })
      await audit.write({ action: 'subscription.created', ...byCaller(caller), detail: factsOf(made) })
      reply.code(201)
      return { ...viewOf(made, clock.now()), secret }
    },
  )
}

function addRemove(app: App, { subscriptions, audit }: RouteDeps): void {
  app.delete(
    onePath,
    {
      config: { problems: [...ofOne] },
      schema: {
        tags,
        operationId: 'removeSubscription',
        summary: 'Remove a subscription: nothing more is sent, but for what is on its way',
        description: 'Your own; any, for operators. The same URL may then be subscribed again.',
        params,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const found = await subscriptionFor(subscriptions, caller, params.id, 'oversee')
      if (!(await subscriptions.remove(found))) unknown('subscription', params.id)
      const about = { ...byCaller(caller), person: found.owner, detail: factsOf(found) }
      await audit.write({ action: 'subscription.removed', ...about })
      return reply.code(204).send(null)
    },
  )
}

function addRotate(app: App, { subscriptions, webhooks, audit }: RouteDeps): void {
  app.post(
    `${onePath}::rotate`,
    {
      config: { problems: [...ofOne, '503 no-fleet-secret'], idempotency: 'secret' },
      schema: {
        tags,
        operationId: 'rotateSubscription',
        summary: 'Make a new secret; those before it sign, too, for a day more',
        description:
          'Three are valid at most. The new one is answered this once. Those that cannot be read any more, for they are of another FLEET_SECRET, sign no more.',
        params,
        response: answers({ 200: rotatedSecret }),
      },
    },
    async ({ params, principal: caller }) => {
      const { id } = await subscriptionFor(subscriptions, caller, params.id, 'manage')
      const secret = newSecret()
      const sealingKey = requireSealingKey(webhooks)
      const sealed = sealSecret(sealingKey, secret, secretHolder(id))
      const opens = (older: string) => openSecret(sealingKey, older, secretHolder(id)) !== undefined
      const valid = (await subscriptions.rotate(id, sealed, opens)) ?? unknown('subscription', id)
      await audit.write({ action: 'subscription.rotated', ...byCaller(caller), detail: id })
      return { secret, valid: valid.length }
    },
  )
}

function addTest(app: App, deps: RouteDeps): void {
  app.post(
    `${onePath}::test`,
    {
      config: {
        problems: [...ofOne, '429 too-many-open', '503 no-fleet-secret'],
        idempotency: 'reads',
      },
      schema: {
        tags,
        operationId: 'testSubscription',
        summary: 'Call its URL once, with a signed body that tells of no change; the answer says what came of it',
        description:
          'Also of one that is disabled. Not called, as with each change, where its secret cannot be read with this FLEET_SECRET: `:rotate` makes another. At most 30 in a quarter of an hour.',
        params,
        response: answers({ 200: subscriptionTest }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const found = await subscriptionFor(deps.subscriptions, caller, params.id, 'manage')
      await deps.rateLimits.countTest(caller.owner)
      deps.openCalls.enter(caller, reply)
      return testSubscription(deps, found, AbortSignal.any([deps.stopping, closedSignal(reply)]))
    },
  )
}

function addReplay(app: App, { subscriptions, audit, clock }: RouteDeps): void {
  app.post(
    `${onePath}::replay`,
    {
      config: { problems: [...ofOne] },
      schema: {
        tags,
        operationId: 'replaySubscription',
        summary: 'Send again, whole, what has changed since a time; one that is disabled goes on',
        description:
          'Each is told under its next sequence, with null as what it was. What was removed since has null in every field.',
        params,
        body: replayBody,
        response: answers({ 202: replayAccepted }),
      },
    },
    async ({ params, body: { since }, principal: caller }, reply) => {
      const { id } = await subscriptionFor(subscriptions, caller, params.id, 'manage')
      const sinceMs = Date.parse(since)
      const nowMs = clock.now()
      if (sinceMs > nowMs) throw new Problem(422, 'invalid', 'since: a time that has been', 'since')
      if (nowMs - sinceMs > maxReplayMs) throw new Problem(422, 'invalid', 'since: at most 14 days ago', 'since')
      if (!(await subscriptions.replay(id, sinceMs))) unknown('subscription', id)
      await audit.write({ action: 'subscription.replayed', ...byCaller(caller), detail: `${id}: since ${since}` })
      reply.code(202)
      return { id, since }
    },
  )
}
