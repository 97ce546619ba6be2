/** Shapes of the HTTP API around subscriptions: who is told of which changes, and the body they are told with. */
import { z } from 'zod'
import { instant } from './schemas.ts'
import { disabledReasons, subscriptionResources } from './subscription-resources.ts'

export const subscriptionBody = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('where changes are posted to; https, and no address of a private network'),
  resource: z.enum(subscriptionResources).describe('what is followed'),
  resource_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'of one: a history key, the id of a person, group, cohort or type, the name of a channel, group:<id> or cohort:<id> of an ownership; all that you may read when absent',
    ),
})
export type SubscriptionInput = z.input<typeof subscriptionBody>

const subscriptionFields = {
  id: z.string(),
  owner: z.string().describe('whose rights decide what is told'),
  url: z.string(),
  resource: z.enum(subscriptionResources),
  resource_id: z.string().optional().describe('absent: all that the owner may read'),
  created: z.string(),
  secrets: z.int().describe('how many are valid now: one, and those that were rotated out less than a day ago'),
  state: z.enum(['active', 'failing', 'disabled']).describe('failing: its last attempt failed, and it is tried again'),
  failing: z
    .strictObject({ since: z.string(), next: z.string().describe('when it is tried again'), why: z.string() })
    .optional(),
  disabled: z
    .strictObject({
      since: z.string(),
      reason: z
        .enum(disabledReasons)
        .describe('owner: they may not any more; gone: the endpoint answered 410; failing: it took nothing for days'),
      why: z.string(),
    })
    .optional()
    .describe('nothing is sent until a replay is asked for'),
}
export const subscriptionView = z.strictObject(subscriptionFields)
export type SubscriptionView = z.infer<typeof subscriptionView>
export const subscriptionList = z.strictObject({ subscriptions: z.array(subscriptionView) })
export type SubscriptionList = z.infer<typeof subscriptionList>

const secret = z.string().describe('whsec_…, what every body is signed with; shown this once')
export const subscriptionCreated = z.strictObject({ ...subscriptionFields, secret })
export type SubscriptionCreated = z.infer<typeof subscriptionCreated>

export const rotatedSecret = z.strictObject({
  secret,
  valid: z.int().describe('how many secrets sign now: the new one, and those before it for a day more, three at most'),
})
export type RotatedSecret = z.infer<typeof rotatedSecret>

export const subscriptionTest = z.strictObject({
  delivered: z.boolean().describe('whether the endpoint answered 2xx'),
  status: z.int().optional().describe('what it answered; absent when nothing came'),
  why: z.string().optional().describe('why it was not delivered'),
  ms: z.int().describe('how long it took'),
})
export type SubscriptionTest = z.infer<typeof subscriptionTest>

export const replayBody = z.strictObject({
  since: instant.describe('whatever has changed since then is sent again, whole; at most 14 days ago'),
})
export type ReplayInput = z.input<typeof replayBody>
export const replayAccepted = z.strictObject({ id: z.string(), since: z.string() })
export type ReplayAccepted = z.infer<typeof replayAccepted>

const change = z.strictObject({ '+++': z.unknown().describe('what it is now, null for nothing'), '---': z.unknown() })
export const changeDiff = z.record(z.string(), change).describe('field by field: `+++` what it is, `---` what it was')
export type ChangeDiff = z.infer<typeof changeDiff>

/** What is posted to a subscriber. */
export const changeBody = z.strictObject({
  type: z
    .enum([...subscriptionResources.map((resource) => `${resource}.changed` as const), 'subscription.test'])
    .describe('subscription.test: it was asked for, and nothing has changed'),
  id: z.string().describe('the same at every try: whoever has seen it has seen this change'),
  created: z.string().describe('when the change was read'),
  subscription: z.string(),
  resource: z.enum(subscriptionResources),
  resource_id: z.string(),
  sequence: z.int().describe('of this subscription and resource, one more each time: gaps and repeats are seen by it'),
  diff: changeDiff.nullable().describe('null where it is over 32 KB: read the resource itself'),
})
export type ChangeBody = z.infer<typeof changeBody>

export const subscriptionDelivery = z.strictObject({
  id: z.string().describe('of the body'),
  at: z.string().describe('when it was tried'),
  resource_id: z.string().optional().describe('absent: a test'),
  sequence: z.int().optional(),
  attempt: z.int().describe('from 1'),
  delivered: z.boolean(),
  status: z.int().optional(),
  why: z.string().optional(),
  ms: z.int(),
  next: z.string().optional().describe('when it is tried again'),
  body: z.string().describe('as it was sent; the first 4000 characters of it'),
})
export type SubscriptionDelivery = z.infer<typeof subscriptionDelivery>
export const deliveryList = z.strictObject({
  deliveries: z.array(subscriptionDelivery).describe('of the last 24 hours, newest first; the last 500 of them'),
})
export type DeliveryList = z.infer<typeof deliveryList>
