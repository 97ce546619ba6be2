/** Steps of a message: who is not reached by the channels of one is sent it by those of the next. */
import { z } from 'zod'
import { durationMs, durationPattern } from './duration.ts'
import { channelId, count, moment } from './fields.ts'
import { channelPattern } from './history-key.ts'
import { tariffs } from './tariffs.ts'

/** What a channel may tell of somebody, the weakest first: whoever it is told of, or more, is reached. */
export const reachedLevels = ['sent', 'delivered', 'read', 'confirmed'] as const
export type ReachedLevel = (typeof reachedLevels)[number]

export const maxSteps = 4
const minAfterMs = 30_000
const maxAfterMs = 86_400_000

const after = z
  .string()
  .regex(durationPattern, 'an ISO 8601 duration such as PT10M')
  .refine((text) => {
    if (!durationPattern.test(text)) return true
    const ms = durationMs(text)
    return ms >= minAfterMs && ms <= maxAfterMs
  }, 'from 30 seconds to 24 hours')
  .describe('how long after the step before has an answer for somebody: 30 seconds to 24 hours')
  .meta({ examples: ['PT10M'] })

const unless = z
  .enum(reachedLevels)
  .describe('who is not sent it by this step: whom a channel of the steps before has told this of, or more')

const channel = z
  .string()
  .regex(channelPattern, 'a channel name such as telegram, vk or sms')
  .meta({ examples: ['sms'] })

const step = z.strictObject({
  channels: z.array(channel).min(1).max(16).describe('by which channels, all at once'),
  after: after.optional(),
  unless: unless.optional(),
})

interface StepShape {
  readonly channels: readonly string[]
  readonly after?: string | undefined
  readonly unless?: ReachedLevel | undefined
}

const isWhole = ({ after, unless }: StepShape, at: number) =>
  at === 0 ? after === undefined && unless === undefined : after !== undefined && unless !== undefined

/** As a sender writes them. */
export const messageSteps = z
  .array(step)
  .min(2)
  .max(maxSteps)
  .refine((steps) => steps.every(isWhole), {
    error: 'the first step has only `channels`; every later one says `after` what time, and `unless` what is known',
  })
  .refine(
    (steps) => {
      const names = steps.flatMap(({ channels }) => channels)
      return new Set(names).size === names.length
    },
    { error: 'each channel belongs to one step' },
  )
  .meta({ examples: [[{ channels: ['telegram', 'vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }]] })
export type MessageSteps = z.infer<typeof messageSteps>

const stepOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({
    channels: z.array(channelId).describe('by which channels'),
    after: after.optional().describe('how long after the step before; absent of the first'),
    unless: unless.optional().describe('who is not sent it by this step; absent of the first'),
    ...shape,
  })

/** One step of a message that is rehearsed. */
export const stepReach = stepOf({
  atMost: count.describe('people with a usable contact on these channels: nobody else is sent it by this step'),
  atOnce: count.describe('of them those without a usable contact in any step before: they wait for nothing'),
}).describe('a step of the message, and whom it could be for')

const stepCost = z.strictObject({
  parts: count.optional().describe('so many parts of SMS; absent of a message with a ceiling in money'),
  millionths: count.optional().describe('so much money, in millionths of the currency; absent but of such a message'),
  currency: tariffs.shape.currency.optional().describe('of an amount of money'),
})
export type StepCost = z.infer<typeof stepCost>

/** One step of a message that was accepted, with what has become of it. */
export const stepView = stepOf({
  at: moment
    .optional()
    .describe('when the next of those who wait for this step are looked at; absent while nobody waits'),
  waiting: count.describe('who is still to be sent it by this step, or spared'),
  reached: count
    .optional()
    .describe('who is reached by this step, as the next one understands it; absent of the last, and before the start'),
  sent: count.describe('whose provider has taken it by this step'),
  spared: count.describe('who was not sent it by this step, for they were reached before'),
  cost: stepCost
    .optional()
    .describe(
      'what its SMS have come to: of whoever was sent it, may have been, or is being sent to now; corrections are not in it. Absent where there are none',
    ),
}).describe('a step of the message; each person counts once in it')
export type StepView = z.infer<typeof stepView>
