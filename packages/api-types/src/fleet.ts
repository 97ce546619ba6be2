/** Shapes of the HTTP API around the fleet itself: couriers, API keys, problems. */
import { z } from 'zod'
import { callerRoles } from './roles.ts'
import { channelName, id } from './schemas.ts'

const courierPace = z.strictObject({
  batchSize: z.int().optional(),
  concurrency: z.int().optional(),
  window: z.int().optional(),
  perSecond: z.number().optional().describe('absent: no limit on this side'),
})
const courierView = z.strictObject({
  name: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  ready: z.boolean(),
  notReady: z
    .strictObject({ since: z.string(), why: z.string() })
    .optional()
    .describe('while it cannot send: since when, and why. It claims nothing then'),
  target: z.string().optional().describe('sandbox or real'),
  inFlight: z.int().optional(),
  settings: z.int().optional().describe('the version of the settings that it uses'),
  pace: courierPace.optional().describe('how fast it works now'),
  startedWith: courierPace.optional().describe('as its environment says, where that is not how it works now'),
})
const verdict = {
  stuck: z.boolean().describe('left alone for more than two leases (30 s by default) while nobody is at work'),
  reason: z.string().optional().describe('why it is stuck, in words'),
}
const backlogView = z.strictObject({
  waiting: z
    .int()
    .describe('people of running messages for whom it is not over on this channel, counted for each message'),
  unclaimed: z.int().describe('pieces of work that none of its couriers has claimed'),
  oldestUnclaimedMs: z.int().describe('how long the first of those has been there; 0 when there is none'),
  inProgress: z.int().describe('claims that a courier keeps alive'),
  abandoned: z.int().describe('claims that nobody has renewed for a lease: their courier is gone'),
  longestAbandonedMs: z.int().describe('since the first of them was last renewed; 0 when there is none'),
  pausedForMs: z.int().describe('how long its provider makes it wait; who waits for that is not stuck'),
  ...verdict,
})
export const channelPauseView = z.strictObject({
  channel: z.string(),
  pausedBy: z.string().describe('an operator'),
  pausedSince: z.string(),
})
export type ChannelPauseView = z.infer<typeof channelPauseView>

const channelView = z.strictObject({
  channel: z.string(),
  ready: z.boolean().describe('at least one of its couriers can send'),
  tells: z
    .array(z.enum(['sent', 'delivered', 'read', 'bounced']))
    .readonly()
    .optional()
    .describe('what its provider tells of a message; absent for a channel the fleet does not know'),
  paused: channelPauseView.omit({ channel: true }).optional().describe('by an operator; absent when it is not'),
  couriers: z.array(courierView),
  backlog: backlogView,
})
export type ChannelView = z.infer<typeof channelView>

export const retiredChannel = z.strictObject({
  channel: z.string(),
  remaining: z
    .strictObject({
      entries: z.int().describe('pieces of messages'),
      people: z.int().describe('their recipients, counted for each message'),
      oldestAt: z.string().optional().describe('since when the first of them has waited; absent when nothing waits'),
    })
    .describe('what still waits for the channel: until it expires, or a courier of the channel is started'),
})
export type RetiredChannel = z.infer<typeof retiredChannel>

const overdueView = z.strictObject({
  deliveries: z.int().describe('deliveries whose time has come and that nobody has woken'),
  oldestMs: z.int().describe('how late the first of them is; 0 when there is none'),
  ...verdict,
})
export const channelList = z.strictObject({
  overdue: overdueView,
  settings: z.strictObject({
    version: z.int().describe('the newest of the settings'),
    using: z.int().describe('processes that use it'),
    of: z.int().describe('processes there are: queue, couriers, timekeepers'),
  }),
  channels: z.array(channelView).describe('with a courier now, or one before, or named by a sender in what waits'),
})
export type ChannelList = z.infer<typeof channelList>

export const apiKeyBody = z.strictObject({
  owner: id,
  role: z.enum(callerRoles),
  label: z.string().trim().min(1).max(100),
  channels: z
    .array(channelName)
    .min(1)
    .max(16)
    .optional()
    .describe('of an inbound process: the only channels whose contacts it may speak for; any when absent'),
})
export type ApiKeyInput = z.input<typeof apiKeyBody>

export const apiKeyCreated = z.strictObject({
  id: z.string(),
  apiKey: z.string().describe('shown this once; only a hash of it is kept'),
})
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>

const apiKeyView = z.strictObject({
  id: z.string(),
  owner: z.string(),
  role: z.enum(callerRoles),
  label: z.string(),
  channels: z.array(z.string()).readonly().optional(),
  created: z.int().describe('Unix ms'),
})
export type ApiKeyView = z.infer<typeof apiKeyView>
export const apiKeyList = z.strictObject({ apiKeys: z.array(apiKeyView) })

/** RFC 9457 problem details. */
export const problemDocument = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string().describe('stable name of the problem'),
  field: z.string().optional().describe('the offending field, as a dotted path'),
  errors: z
    .array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() }))
    .readonly()
    .optional()
    .describe('everything that is wrong with the input'),
  resetsAt: z.string().optional().describe('when a limit will have passed'),
  possibleAt: z.string().optional().describe('the first time at which a rule lets somebody have it'),
  sentAt: z.string().optional().describe('when the same was sent before'),
  people: z.int().optional().describe('to how many'),
})
export type ProblemDocument = z.infer<typeof problemDocument>
