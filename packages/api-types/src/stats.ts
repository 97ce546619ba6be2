/** What has come of messages by hour, type, channel and reason, as `GET /v1/stats` tells it. */
import { z } from 'zod'
import { channelId, count, hourText, typeId } from './fields.ts'
import { passed } from './flow.ts'
import { reasons } from './reasons.ts'
import { receiptStates } from './receipt-state.ts'

export const statsDimensions = ['type', 'channel', 'reason', 'hour'] as const
export type StatsDimension = (typeof statsDimensions)[number]

const ofType = typeId.optional().describe('when asked for by type')
const ofHour = hourText.optional().describe('when the hour began; when asked for by hour')
const byState = z.partialRecord(z.enum(receiptStates), count)

const messagesRow = z.strictObject({
  type: ofType,
  hour: ofHour,
  accepted: count.describe('messages'),
  acceptedPeople: count.describe('people in them'),
  cancelled: count.describe('messages that were cancelled before they started'),
  cancelledPeople: count.describe('people in them'),
})

const receiptsRow = z.strictObject({
  type: ofType,
  channel: channelId.optional().describe('when asked for by channel'),
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

const deadlineRow = z.strictObject({
  type: ofType,
  channel: channelId.optional().describe('on which they were first told; when asked for by channel'),
  hour: ofHour,
  inTime: count.describe('people who were told by the deadline of the type'),
  late: count.describe('people who were told later'),
})

const latenessRow = z.strictObject({
  class: z
    .string()
    .describe('class of the messages')
    .meta({ examples: ['normal'] }),
  hour: ofHour,
  buckets: z
    .array(
      z.strictObject({
        atMost: z
          .number()
          .optional()
          .describe('s; more than the bucket before. Absent: more than all of them')
          .meta({ examples: [0.1] }),
        messages: count.describe('so many messages'),
      }),
    )
    .describe('messages by how long after their time they were handed to their channels'),
  meanSeconds: z
    .number()
    .describe('the mean of all of them, in seconds')
    .meta({ examples: [0.004] }),
})

export const statsView = z
  .strictObject({
    from: hourText.describe('the beginning of the first hour'),
    to: hourText.describe('the end of the last'),
    messages: z.array(messagesRow).describe('by type and hour'),
    receipts: z.array(receiptsRow).describe('rows in which nothing happened are left out'),
    deadlines: z
      .array(deadlineRow)
      .describe(
        'of messages whose type had a deadline: who of those who were told was told in time, each once a message',
      ),
    lateness: z.array(latenessRow).describe('by class and hour'),
    channelLateness: z
      .array(latenessRow.extend({ channel: channelId }))
      .optional()
      .describe(
        'when asked for by channel: the same by channel, class and hour, a message once on each channel it began on; counted since the fleet is of a version that does',
      ),
  })
  .describe('what has come of messages in whole hours')
export type StatsView = z.infer<typeof statsView>
