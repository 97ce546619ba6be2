/** The secrets that calls are signed with: of a person's own URL, and of whoever names URLs. Each is told once, when it is made. */
import { rotatedSecret, webhookSecretView } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import { ofPerson } from '@courier-fleet/webhooks'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { requireSealingKey } from '../subscriptions/webhooks.ts'
import { channelPersonParams } from './parameters.ts'

const tags = ['webhooks']
const params = z.strictObject({ person: channelPersonParams.shape.person })

export function webhookSecretRoutes(app: App, deps: RouteDeps): void {
  addView(app, deps)
  addRotate(app, deps)
  addRotateOfContact(app, deps)
}

function addView(app: App, { webhookSecrets }: RouteDeps): void {
  app.get(
    '/webhook-secret',
    {
      schema: {
        tags,
        operationId: 'getWebhookSecret',
        summary: 'When your webhook secret was made, and how many sign',
        description:
          'It signs what is posted to the URLs you name in `to` and in `recheck`. The secret itself is told once, by `:rotate`.',
        response: answers({ 200: webhookSecretView }),
      },
    },
    async ({ principal }) => {
      const { madeMs, valid } = await webhookSecrets.describe(principal.owner)
      return madeMs === undefined ? { valid } : { madeAt: new Date(madeMs).toISOString(), valid }
    },
  )
}

function addRotate(app: App, { webhookSecrets, webhooks, audit }: RouteDeps): void {
  app.post(
    '/webhook-secret::rotate',
    {
      config: { idempotency: 'secret', problems: ['503 no-fleet-secret'] },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new webhook secret of yours; those before it sign, too, for a day more',
        description:
          'The first is made when you first name a URL, or here. Three are valid at most; the new one is answered this once.',
        response: answers({ 200: rotatedSecret }),
      },
    },
    async ({ principal }) => {
      requireSealingKey(webhooks)
      const secret = await webhookSecrets.rotate(principal.owner)
      await audit.write({ action: 'webhook-secret.rotated', ...byCaller(principal), person: principal.owner })
      return { secret, valid: (await webhookSecrets.describe(principal.owner)).valid }
    },
  )
}

function addRotateOfContact(app: App, { webhookSecrets, webhooks, directory, audit }: RouteDeps): void {
  app.post(
    `/contacts/${http.name}/:person(^[\\s\\S]+$)::rotate`,
    {
      config: { idempotency: 'secret', problems: ['404 unknown-contact', '503 no-fleet-secret'] },
      schema: {
        tags,
        operationId: 'rotateContactSecret',
        summary: "Make a new secret for a person's URL; those before it sign, too, for a day more",
        description:
          'Also the first, of a URL that came with an import. Three are valid at most; the new one is answered this once.',
        params,
        response: answers({ 200: rotatedSecret }),
      },
    },
    async ({ params: { person }, principal }) => {
      requireSealingKey(webhooks)
      const [contact] = await directory.contactsOf(http.name, [person])
      if (!contact) unknown('contact', `${http.name} of ${person}`)
      const secret = await webhookSecrets.rotate(ofPerson(person))
      await audit.write({ action: 'webhook-secret.rotated', ...byCaller(principal), person, channel: http.name })
      return { secret, valid: (await webhookSecrets.describe(ofPerson(person))).valid }
    },
  )
}
