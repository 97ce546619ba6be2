/** Notifications in a browser: what a browser needs to subscribe, and what it gives. */
import { z } from 'zod'
import { agreementIdOf } from './fields.ts'

export const pushKeyView = z
  .strictObject({
    publicKey: z
      .string()
      .describe('a point of P-256, uncompressed, base64url: the `applicationServerKey` of a subscription')
      .meta({
        examples: ['BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'],
      }),
  })
  .describe('the key by which push services know this fleet')
export type PushKeyView = z.infer<typeof pushKeyView>

export const pushSubscriptionBody = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(1000)
      .describe('where the push service of the browser takes messages for it')
      .meta({ examples: ['https://push.example.org/send/dGhlIGFkZHJlc3M'] }),
    keys: z
      .strictObject({
        p256dh: z
          .string()
          .max(100)
          .describe('what messages are encrypted for')
          .meta({
            examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
          }),
        auth: z
          .string()
          .max(30)
          .describe('a secret of the browser, without which it takes no message')
          .meta({ examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
      })
      .describe('of the browser, base64url'),
    wording: agreementIdOf('push').optional(),
  })
  .describe('a subscription, as `PushSubscription.toJSON()` of a browser gives it, without `expirationTime`')
export type PushSubscriptionInput = z.input<typeof pushSubscriptionBody>
