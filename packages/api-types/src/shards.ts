/** Into how many shards messages are laid, and a growth of that. */
import { z } from 'zod'
import { moment } from './fields.ts'

/** what a fleet may be grown to, or began with */
export const shardNumbers = [16, 64, 256] as const

const shards = z.union(shardNumbers.map((number) => z.literal(number)))

export const shardsBody = z.strictObject({
  shards: shards.describe('so many there are to be: never fewer than before').meta({ examples: [64] }),
})
export type ShardsBody = z.infer<typeof shardsBody>

const number = z
  .int()
  .min(1)
  .max(256)
  .meta({ examples: [64] })

export const shardsView = z
  .strictObject({
    shards: number.describe('into so many looks every process that is started from now on'),
    laidBy: number.describe(
      'by so many new messages are laid: fewer than `shards` while some process does not look into all of them',
    ),
    former: z
      .array(z.int())
      .describe('by so many messages were laid before, and stay where they are')
      .meta({ examples: [[16]] }),
    since: moment
      .optional()
      .describe('when the latest growth was complete; absent while one is under way, and where there was none'),
    toRestart: z
      .array(z.string())
      .describe('processes that do not look into all shards, and have to be started anew')
      .meta({ examples: [['courier-sms-1']] }),
  })
  .describe('into how many shards messages are laid')
export type ShardsView = z.infer<typeof shardsView>
