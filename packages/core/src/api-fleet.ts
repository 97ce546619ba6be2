/** Shapes of the HTTP API around the fleet itself: couriers, API keys, problems. */
import { z } from 'zod'
import { id, roles } from './schemas.ts'

export const courierView = z.strictObject({
  name: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  ready: z.boolean(),
  target: z.string().optional().describe('sandbox or real'),
  inFlight: z.int().optional(),
})
export const channelView = z.strictObject({
  channel: z.string(),
  ready: z.boolean().describe('at least one of its couriers can send'),
  couriers: z.array(courierView),
})
export type ChannelView = z.infer<typeof channelView>
export const channelList = z.strictObject({ channels: z.array(channelView) })

export const apiKeyBody = z.strictObject({ owner: id, role: z.enum(roles), label: z.string().trim().min(1).max(100) })
export type ApiKeyInput = z.input<typeof apiKeyBody>

export const apiKeyCreated = z.strictObject({
  id: z.string(),
  apiKey: z.string().describe('shown this once; only a hash of it is kept'),
})
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>

export const apiKeyView = z.strictObject({
  id: z.string(),
  owner: z.string(),
  role: z.enum(roles),
  label: z.string(),
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
})
export type ProblemDocument = z.infer<typeof problemDocument>
