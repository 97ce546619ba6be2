/** Shapes of the HTTP API around subscriptions: who is told of which changes, and the body they are told with. */
import { z } from 'zod'
import { moment, smallCount } from './fields.ts'
import { instant } from './given-fields.ts'
import { disabledReasons, subscriptionResources } from './subscription-resources.ts'

const text = (description: string, ...examples: string[]) => z.string().describe(description).meta({ examples })
const resource = z.enum(subscriptionResources).describe('what is followed')
const ms = z
  .int()
  .describe('how long it took, ms')
  .meta({ examples: [12] })
const status = z
  .int()
  .describe('what the endpoint answered; absent when nothing came')
  .meta({ examples: [204] })
const why = text('why it was not delivered', 'only 2xx says that it was taken')
const subscriptionId = text('id of a subscription', '0123456789abcdef')

export const subscriptionBody = z
  .strictObject({
    url: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe('where changes are posted to; https, and no address of a private network')
      .meta({ examples: ['https://lms.example.org/fleet'] }),
    resource,
    resource_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'of one: a history key, the id of a person, group, cohort or type, the name of a channel, group:<id> or cohort:<id> of an ownership; all that you may read when absent',
      )
      .meta({ examples: ['choir'] }),
  })
  .describe('who is to be told, and of what')
export type SubscriptionInput = z.input<typeof subscriptionBody>

const subscriptionFields = {
  id: subscriptionId,
  owner: text('whose rights decide what is told', 't-gus'),
  url: text('where changes are posted to', 'https://lms.example.org/fleet'),
  resource,
  resource_id: text('absent: all that the owner may read', 'choir').optional(),
  created: moment.describe('when it was made'),
  secrets: smallCount.describe('how many are valid now: one, and those that were rotated out less than a day ago'),
  state: z.enum(['active', 'failing', 'disabled']).describe('failing: its last attempt failed, and it is tried again'),
  failing: z
    .strictObject({
      since: moment.describe('when it began to fail'),
      next: moment.describe('when it is tried again'),
      why,
    })
    .optional()
    .describe('while its last attempt has failed'),
  disabled: z
    .strictObject({
      since: moment.describe('when it was disabled'),
      reason: z
        .enum(disabledReasons)
        .describe('owner: they may not any more; gone: the endpoint answered 410; failing: it took nothing for days'),
      why,
    })
    .optional()
    .describe('nothing is sent until a replay is asked for'),
}
export const subscriptionView = z.strictObject(subscriptionFields).describe('who is told, of what, and how it goes')
export type SubscriptionView = z.infer<typeof subscriptionView>
export const subscriptionList = z
  .strictObject({ subscriptions: z.array(subscriptionView).describe('the oldest first') })
  .describe('subscriptions, without their secrets')
export type SubscriptionList = z.infer<typeof subscriptionList>

const secret = text('what every body is signed with; shown this once', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
export const subscriptionCreated = z
  .strictObject({ ...subscriptionFields, secret })
  .describe('the subscription, and its secret')
export type SubscriptionCreated = z.infer<typeof subscriptionCreated>

export const rotatedSecret = z
  .strictObject({
    secret,
    valid: smallCount.describe(
      'how many secrets sign now: the new one, and those before it for a day more, three at most',
    ),
  })
  .describe('the new secret')
export type RotatedSecret = z.infer<typeof rotatedSecret>

export const webhookSecretView = z
  .strictObject({
    madeAt: moment.optional().describe('when the newest was made; absent while there is none'),
    valid: smallCount.describe('how many secrets sign now'),
  })
  .describe('what there is to say of a webhook secret')
export type WebhookSecretView = z.infer<typeof webhookSecretView>

export const contactSecret = z
  .strictObject({ secret })
  .describe('the secret that messages to the URL are signed with: told this once')

export const subscriptionTest = z
  .strictObject({
    delivered: z.boolean().describe('whether the endpoint answered 2xx'),
    status: status.optional(),
    why: why.optional(),
    ms,
  })
  .describe('what came of the call')
export type SubscriptionTest = z.infer<typeof subscriptionTest>

export const replayBody = z
  .strictObject({
    since: instant
      .describe('whatever has changed since then is sent again, whole; at most 14 days ago')
      .meta({ examples: ['2026-09-01T00:00:00Z'] }),
  })
  .describe('since when')
export const replayAccepted = z
  .strictObject({ id: subscriptionId, since: moment.describe('as it was asked for') })
  .describe('it is being sent again')
export type ReplayAccepted = z.infer<typeof replayAccepted>

const change = z
  .strictObject({
    '+++': z
      .unknown()
      .describe('what it is now, null for nothing')
      .meta({ examples: ['The choir'] }),
    '---': z
      .unknown()
      .describe('what it was, null for nothing')
      .meta({ examples: ['Choir'] }),
  })
  .describe('of one field')
export const changeDiff = z.record(z.string(), change).describe('field by field, what it is and what it was')
export type ChangeDiff = z.infer<typeof changeDiff>

/** What is posted to a subscriber. */
export const changeBody = z
  .strictObject({
    type: z
      .enum([...subscriptionResources.map((each) => `${each}.changed` as const), 'subscription.test'])
      .describe('subscription.test: it was asked for, and nothing has changed'),
    id: text('the same at every try: whoever has seen it has seen this change', 'V1StGXR8Z5jdHi6B'),
    created: moment.describe('when the change was read'),
    subscription: subscriptionId,
    resource,
    resource_id: text('which one', 'choir'),
    sequence: z
      .int()
      .describe(
        'one more each time, of this subscription and resource, from 1, or from a higher one once somebody was erased; one is left out where it may not be told any more',
      )
      .meta({ examples: [7] }),
    diff: changeDiff.nullable().describe('null where the body would be over 32 KB: read the resource itself'),
  })
  .describe('a change')
export type ChangeBody = z.infer<typeof changeBody>

export const subscriptionDelivery = z
  .strictObject({
    id: text('id of the body', 'V1StGXR8Z5jdHi6B'),
    at: moment.describe('when it was tried'),
    resource_id: text('what changed; absent: a test', 'choir').optional(),
    sequence: z
      .int()
      .optional()
      .describe('as in the body; absent: a test')
      .meta({ examples: [7] }),
    attempt: smallCount.describe('from 1'),
    delivered: z.boolean().describe('whether the endpoint answered 2xx'),
    status: status.optional(),
    why: why.optional(),
    ms,
    next: moment.optional().describe('when it is tried again; absent: it is not'),
    body: text('as it was sent; the first 4000 characters of it', '{"type":"group.changed","id":"V1StGXR8Z5jdHi6B"}'),
  })
  .describe('one attempt')
export type SubscriptionDelivery = z.infer<typeof subscriptionDelivery>
export const deliveryList = z
  .strictObject({
    deliveries: z.array(subscriptionDelivery).describe('of the last 24 hours, the newest first; the last 500 of them'),
  })
  .describe('what was sent')
export type DeliveryList = z.infer<typeof deliveryList>
