/** What inbound processes say and are told: where people reach them, whom they greet and answer, and what they have heard of contacts. */
import { z } from 'zod'
import { address, contactStates } from './directory.ts'
import { channelId, languageTag, personId, personName } from './fields.ts'
import { channelName } from './given-fields.ts'
import { messageText } from './message-text.ts'
import { roles } from './roles.ts'

/** As an inbound process says when it starts. */
export const inboundAddress = z
  .string()
  .regex(/^\+?[A-Za-z0-9_.]{3,64}$/, 'the name of a bot or a community, or a number')
  .describe('what people write to: the name of the bot or the community, or the number')
  .meta({ examples: ['university_bot'] })
/** An inbound process says where people reach it. */
export const inboundAddressBody = z.strictObject({ address: inboundAddress })
export type InboundAddressInput = z.input<typeof inboundAddressBody>

/** The person behind a contact: what an inbound process needs to greet them in their language. */
export const greetingView = z
  .strictObject({
    person: personId,
    name: personName,
    role: z.enum(roles).describe('what the person may do'),
    language: languageTag,
    channel: channelId,
    applied: z
      .literal(true)
      .optional()
      .describe(
        'they have applied to be put into the list, and the office decides: nothing is linked yet, and `person` is who they will be',
      ),
  })
  .describe('the person behind a contact')
export type GreetingView = z.infer<typeof greetingView>

/** What an inbound process says to a contact that wrote to it. */
export const answerBody = z.strictObject({
  channel: channelName,
  address,
  text: messageText,
})
export type AnswerInput = z.input<typeof answerBody>

export const heardBody = z.strictObject({
  channel: channelName,
  address,
  heard: z
    .enum(['message', 'allowed', 'denied'])
    .describe('it wrote, it allows messages (again), or it has blocked them, as the provider tells'),
})
export type HeardInput = z.input<typeof heardBody>
export const heardView = z
  .strictObject({
    person: personId,
    channel: channelId,
    state: z.enum(contactStates).describe('of the contact now; `opted-out` stays until START'),
    language: languageTag.describe('of the person, to answer in'),
  })
  .describe('what is known of the contact now')
export type HeardView = z.infer<typeof heardView>

/** An inbound process says that something a contact wrote cannot be dealt with. */
export const setAsideBody = z.strictObject({
  channel: channelName,
  reason: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'the code of a problem')
    .describe('the code of the problem it was answered with; `defect` where the process itself failed')
    .meta({ examples: ['invalid'] }),
})
export type SetAsideInput = z.input<typeof setAsideBody>
