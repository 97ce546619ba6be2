/** Notifications in a browser: turned on by whoever is signed in there, for themselves; turned off as any contact is unlinked. */
import { createPublicKey } from 'node:crypto'
import { Problem, pushKeyView, pushSubscriptionBody } from '@courier-fleet/api-types'
import { type BrowserSubscription, push, pushAddressOf } from '@courier-fleet/channels'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, done } from '../openapi/openapi.ts'
import { requirePushKey, requireUrl } from '../subscriptions/webhooks.ts'

const tags = ['people']

export function pushRoutes(app: App, { linkContact, webhooks }: RouteDeps): void {
  app.get(
    '/push-key',
    {
      config: { problems: ['503 no-fleet-secret'] },
      schema: {
        tags,
        operationId: 'readPushKey',
        summary: 'The key by which push services know this fleet',
        description:
          'A browser subscribes with it, and takes messages of this fleet alone. It is made of FLEET_SECRET: with another one every browser has to be subscribed anew.',
        response: answers({ 200: pushKeyView }),
      },
    },
    async () => ({ publicKey: requirePushKey(webhooks).publicKey }),
  )

  app.put(
    '/push-subscription',
    {
      config: { problems: ['404 unknown-person', '422 bad-address', '422 refused-url', '503 no-fleet-secret'] },
      schema: {
        tags,
        operationId: 'putPushSubscription',
        summary: 'Have your messages on `push` shown as notifications of this browser',
        description:
          'For yourself. One browser of a person has them, the latest that was subscribed; a browser that somebody else had subscribed is theirs no more. Turned off by `DELETE /v1/contacts/push/{person}`.',
        body: pushSubscriptionBody,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, body }, reply) => {
      requirePushKey(webhooks)
      requireUrl(webhooks, body.endpoint, 'endpoint')
      requireKey(body)
      await linkContact(push.name, caller.owner, pushAddressOf(body), {
        by: caller.owner,
        via: viaOf(caller),
        consents: true,
        agreed: { by: 'page', wording: body.wording },
      })
      return reply.code(204).send(null)
    },
  )
}

/** Nothing could be encrypted for a key that is no point of the curve. @throws Problem 422 `bad-address` */
function requireKey({ keys }: BrowserSubscription): void {
  const point = Buffer.from(keys.p256dh, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  } catch {
    throw new Problem(422, 'bad-address', 'p256dh is no public key of a browser', 'keys.p256dh')
  }
}
