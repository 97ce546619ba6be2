/** The work streams as Redis has them, for an engineer. */
import { z } from 'zod'
import { channelId, moment, smallCount } from './fields.ts'
import { classes } from './history-key.ts'

const consumerView = z.strictObject({
  name: z
    .string()
    .describe('name of the process, with a part that each start of it has for itself')
    .meta({ examples: ['courier-sms-2-V1StGXR8'] }),
  pending: smallCount.describe('entries that it has claimed and not finished'),
  idleMs: smallCount.optional().describe('since it has claimed or renewed something here; absent when it never has'),
})

const streamView = z.strictObject({
  key: z
    .string()
    .describe('its key in Redis')
    .meta({ examples: ['work:{07}:sms:urgent'] }),
  channel: channelId.describe('whose couriers read it'),
  class: z.enum(classes).describe('of its messages'),
  shard: z
    .string()
    .describe('of its messages')
    .meta({ examples: ['07'] }),
  entries: smallCount.describe('pieces of messages in it, claimed or not: one leaves it when it is finished'),
  oldestAt: moment.optional().describe('when the first of them was added; absent when it holds none'),
  group: z
    .strictObject({
      name: z
        .string()
        .describe('its name')
        .meta({ examples: ['sms'] }),
      pending: smallCount.describe('entries that are claimed and not finished'),
      lag: smallCount.describe('entries that nobody has claimed'),
      consumers: z.array(consumerView).describe('processes that have claimed something here'),
    })
    .optional()
    .describe('its consumer group; absent where no courier of the channel has begun on it'),
})

export const streamList = z
  .strictObject({
    asOf: moment.describe('when this was true'),
    streams: z.array(streamView).describe('each that is there, by channel, class and shard'),
  })
  .describe('the work streams, as Redis has them')
export type StreamList = z.infer<typeof streamList>
