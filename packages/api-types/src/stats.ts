/** What has come of messages by hour, type, channel and reason, as `GET /v1/stats` tells it. */
import { z } from 'zod'
import { passed } from './flow.ts'
import { reasons } from './reasons.ts'
import { receiptStates } from './receipt-state.ts'

export const statsDimensions = ['type', 'channel', 'reason', 'hour'] as const
export type StatsDimension = (typeof statsDimensions)[number]

const ofType = z.string().optional().describe('when asked for by type')
const ofHour = z.string().optional().describe('when the hour began; when asked for by hour')
const byState = z.partialRecord(z.enum(receiptStates), z.int())

const messagesRow = z.strictObject({
  type: ofType,
  hour: ofHour,
  accepted: z.int().describe('messages'),
  acceptedPeople: z.int().describe('people in them'),
  cancelled: z.int().describe('messages that were cancelled before they started'),
  cancelledPeople: z.int(),
})

const receiptsRow = z.strictObject({
  type: ofType,
  channel: z.string().optional().describe('when asked for by channel'),
  reason: z
    .enum(reasons)
    .optional()
    .describe('that the receipts of this row were given; when asked for by reason, and there was one'),
  hour: ofHour,
  came: byState.describe(
    'people whose receipt came to this state; pending: of messages that started. A person counts in each state they came to',
  ),
  passed: passed
    .optional()
    .describe(
      'the funnel: who came so far or further in these hours, each once however many states they skipped; not by reason',
    ),
  left: byState.describe('people whose receipt left this state again: sent, and then delivered. Never by reason'),
})

const latenessRow = z.strictObject({
  class: z.string(),
  hour: ofHour,
  buckets: z
    .array(
      z.strictObject({
        atMost: z.number().optional().describe('s; more than the bucket before. Absent: more than all of them'),
        messages: z.int(),
      }),
    )
    .describe('messages by how long after their time they were handed to their channels'),
  meanSeconds: z.number(),
})

export const statsView = z.strictObject({
  from: z.string().describe('the beginning of the first hour'),
  to: z.string().describe('the end of the last'),
  messages: z.array(messagesRow).describe('by type and hour'),
  receipts: z.array(receiptsRow).describe('rows in which nothing happened are left out'),
  lateness: z.array(latenessRow).describe('by class and hour'),
})
export type StatsView = z.infer<typeof statsView>
