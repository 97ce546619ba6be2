/** What a message is about: what rules, switches and statistics count by. */
import { z } from 'zod'
import { putOutcome } from './directory.ts'
import { durationMs, durationPattern } from './duration.ts'
import { durationUpTo } from './duration-up-to.ts'
import { roleId } from './fields.ts'
import { id, refuseHidden } from './given-fields.ts'
import { defaultType, level, quietRespects, serviceType } from './message-rules.ts'
import { maxRoles, roles } from './roles.ts'
import { settingsConcerns } from './settings-concerns.ts'
import { messageSteps } from './steps.ts'

export const maxTypes = 200
/** Of every window in which messages are counted, in days: so long a person's diary is kept. */
export const maxWindowDays = 31

const name = z.string().trim().min(1).max(60)
const inLanguages = (shown: typeof name) =>
  z
    .strictObject({
      ru: shown.describe('in Russian').meta({ examples: ['Новости'] }),
      en: shown.describe('in English').meta({ examples: ['News'] }),
    })
    .describe('what people are told it is called')
/** As it is kept: what was given before hidden characters were refused is read all the same. */
export const namesInLanguages = inLanguages(name)
/** As it is given. */
export const givenNames = inLanguages(name.superRefine(refuseHidden))

export const cap = z.strictObject({
  n: z
    .int()
    .min(1)
    .max(1000)
    .describe('so many messages at most')
    .meta({ examples: [3] }),
  per: z
    .union([z.literal('day'), durationUpTo(maxWindowDays)])
    .describe("`day`: by the person's own calendar; a duration: in any stretch of time of this length")
    .meta({ examples: ['day', 'PT24H'] }),
  over: z
    .enum(['drop', 'wait'])
    .default('drop')
    .describe('what becomes of a message that would be one more: suppressed, or held until there is room again'),
})
export type Cap = z.infer<typeof cap>

export const caps = z
  .array(cap)
  .max(4)
  .meta({ examples: [[{ n: 3, per: 'day', over: 'wait' }]] })
export const interval = durationUpTo(maxWindowDays)
  .describe('least time between two messages to one person')
  .meta({ examples: ['PT30M'] })
/** A message that could go earlier by more is another message. */
const maxMergeMs = 600_000
const merge = z
  .string()
  .regex(durationPattern, 'an ISO 8601 duration such as PT60S')
  .refine((text) => {
    if (!durationPattern.test(text)) return true
    const ms = durationMs(text)
    return ms >= 1_000 && ms <= maxMergeMs
  }, 'from a second to ten minutes')
  .meta({ examples: ['PT60S'] })

export const messageTypeBody = z
  .strictObject({
    name: givenNames.describe('what people are told it is called. Of the moment they are told'),
    level: level
      .default(3)
      .describe(
        'how important it is, 1 to 5: who has had many messages is sent only important ones. Of the moment it is sent',
      ),
    optOut: z
      .enum(['allowed', 'mandatory'])
      .default('allowed')
      .describe(
        'mandatory: people cannot switch it off, and no cap, interval or level stops it. Of the moment it is sent',
      ),
    duplicates: z
      .strictObject({
        window: durationUpTo(maxWindowDays).default('PT24H').describe('so long, back from each message'),
      })
      .optional()
      .describe(
        'the same text is not sent twice to a person within the window; absent: it is. Of the moment it is sent',
      ),
    caps: caps.default([]).describe('how many messages of this type a person gets. Of the moment it is sent'),
    interval: interval
      .optional()
      .describe('least time between two messages of this type to one person. Of the moment it is sent'),
    deadline: durationUpTo(maxWindowDays)
      .optional()
      .describe(
        'who has not been sent it so long after it was due is late; counted in the history and the statistics, and nothing is left out for it. Of the moment it is accepted',
      ),
    merge: merge
      .optional()
      .describe(
        'messages of one sender to one person that are due so long after the first go with it, as one. Of the moment they are accepted',
      ),
    steps: messageSteps
      .optional()
      .describe(
        'by which channels its messages go first, and by which then, for those only who are not reached: the steps of a message that says no `channels`, `steps` or `whenOnline` itself and is for people. Of the moment it is accepted, and fixed then',
      ),
    quiet: z
      .enum(quietRespects)
      .default('respect')
      .describe('ignore: it goes out in quiet hours, too. Of the moment it is sent'),
    senders: z
      .array(roleId)
      .max(roles.length + maxRoles)
      .default([])
      .describe(
        'only these roles may send it; empty: everyone. One of the five stands for all with its rights, one that was made for itself. Of the moment it is accepted',
      )
      .meta({ examples: [['operator', 'dean']] }),
  })
  .refine(({ merge, duplicates }) => merge === undefined || duplicates === undefined, {
    path: ['merge'],
    error: 'not together with duplicates: a text that goes with another is compared with none',
  })
  .refine(({ merge, steps }) => merge === undefined || steps === undefined, {
    path: ['steps'],
    error: 'not together with merge: a message in steps goes by itself',
  })
  .describe('a type of message, and its rules; a message keeps the type it was accepted with')
  .meta({ examples: [{ name: { ru: 'Новости', en: 'News' }, level: 2, caps: [{ n: 3, per: 'day' }] }] })
export type MessageTypeInput = z.input<typeof messageTypeBody>

export const messageTypeId = id.describe('id of a type of message').meta({ examples: ['news'] })

/** As it is kept: the number stands for the type where bytes count, is given once, and never to another type. */
export const messageType = z
  .strictObject({
    ...messageTypeBody.shape,
    name: namesInLanguages.describe('what people are told it is called. Of the moment they are told'),
    id: messageTypeId,
    number: z
      .int()
      .min(1)
      .max(255)
      .describe('stands for the type where bytes count, and is never given to another')
      .meta({ examples: [7] }),
  })
  .describe('a type of message, and its rules')
export type MessageType = z.infer<typeof messageType>

/** Without rules, until somebody gives it some; its number is its own for ever. */
const general: MessageType = {
  id: defaultType,
  number: 1,
  name: { ru: 'Общее', en: 'General' },
  level: 3,
  optOut: 'allowed',
  caps: [],
  quiet: 'respect',
  senders: [],
}
const service: MessageType = {
  ...general,
  id: serviceType,
  number: 255,
  name: { ru: 'Служебное', en: 'Service' },
  level: 5,
  optOut: 'mandatory',
  quiet: 'ignore',
}
export const builtInTypes: readonly MessageType[] = [general, service]

/** By id: one that was made or changed, or that is always there. */
export const findType = (types: readonly MessageType[], id: string): MessageType | undefined =>
  types.find((type) => type.id === id) ?? builtInTypes.find((type) => type.id === id)

/** Of a message: one whose type was removed since has that of no rules. */
export const typeOf = (types: readonly MessageType[], id: string = defaultType): MessageType =>
  findType(types, id) ?? { ...general, id }
export const typeOutcome = z
  .strictObject({ ...putOutcome.shape, concerns: settingsConcerns })
  .describe('what became of it, or would by a dry run')
export type TypeOutcome = z.infer<typeof typeOutcome>
export const typeRemoval = z
  .strictObject({ id: putOutcome.shape.id, concerns: settingsConcerns })
  .describe('what would become of it')
export type TypeRemoval = z.infer<typeof typeRemoval>
export const typeList = z
  .strictObject({ types: z.array(messageType).describe('by id') })
  .describe('the types of message')
export type TypeList = z.infer<typeof typeList>
