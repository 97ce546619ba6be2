/** What a message is put with. */
import { z } from 'zod'
import { ceiling } from './ceiling.ts'
import { confirm } from './confirm.ts'
import { messageFiles } from './files.ts'
import { audienceToken, channelName, dueTime, id, instant, sources } from './given-fields.ts'
import { classes } from './history-key.ts'
import { defaultType, level, quietRespects } from './message-rules.ts'
import {
  messageFieldValues,
  messageText,
  recipientValues,
  templateRef,
  textInLanguages,
  textLanguage,
} from './message-text.ts'
import { slipDetail } from './personal-text.ts'
import { recheck } from './recheck.ts'
import { messageSteps } from './steps.ts'
import { wholeCharacters } from './whole-characters.ts'

export const maxDataBytes = 16_384
/** of objects and lists within one another, the whole being the first; the digest of a body goes two levels deeper */
export const maxDataLevels = 30

/** Whether objects and lists are nested in no more levels than these; deeper ones are not looked at. */
const isWithin = (value: unknown, levels: number): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (levels > 0 && Object.values(value).every((each) => isWithin(each, levels - 1)))

/** What programs are told beside the text. */
export const messageData = z
  .record(z.string(), z.unknown())
  .refine((data) => isWithin(data, maxDataLevels), {
    message: `must not be nested deeper than ${maxDataLevels} levels`,
    abort: true,
  })
  .refine(
    (data) => new TextEncoder().encode(JSON.stringify(data)).length <= maxDataBytes,
    `must not be more than ${maxDataBytes} bytes of JSON`,
  )
  .meta({ examples: [{ room: '412', changed: ['room'] }] })
export type MessageData = z.infer<typeof messageData>

/** What was read from JSON is a double: of a larger integer it may be another one, and of what is larger still it is none. */
const isAsWritten = (value: unknown) =>
  typeof value !== 'number' || Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))

function areAsWritten(data: MessageData): boolean {
  let found = true
  JSON.stringify(data, (_name, value: unknown) => {
    found &&= isAsWritten(value)
    return value
  })
  return found
}

/** As a sender gives it. */
const givenData = messageData
  .refine(
    areAsWritten,
    `has a number beyond ${Number.MAX_SAFE_INTEGER}, which would not arrive as it is written: put it in quotes`,
  )
  .meta({ examples: [{ room: '412', changed: ['room'] }] })

/** a year, a day more in a leap year: so far ahead may a message be due */
const maxAheadSeconds = 366 * 86_400

export const whoseOnline = z.union([z.literal(true), id]).meta({ examples: [true] })

const messageFields = z.strictObject({
  to: z
    .array(audienceToken)
    .min(1)
    .max(1000)
    .describe(
      'whom: any mix of users, groups, cohorts, topics and roles; of those only whom unread:<days>d, unconfirmed:<key> and unreached:<key> leave. Or `url:https://…`, and nothing but URLs: it is posted there, for staff and systems',
    )
    .meta({ examples: [['role:trainer'], ['cohort:ekn', 'unread:14d']] }),
  text: textInLanguages(messageText)
    .optional()
    .describe(
      'what people are written, 1 to 20 000 characters; a channel that takes less splits it. Or such texts by language: each person is written that of their own. Either this or `template`',
    ),
  template: templateRef.optional(),
  language: textLanguage,
  fields: messageFieldValues.optional(),
  recipients: recipientValues.optional(),
  subject: z
    .string()
    .trim()
    .overwrite(wholeCharacters)
    .regex(/^\P{Cc}{1,100}$/u, 'one line of at most 100 characters')
    .optional()
    .describe('for channels that have one, such as mail; the beginning of the text when absent')
    .meta({ examples: ['Fire drill'] }),
  files: messageFiles.optional(),
  at: dueTime
    .optional()
    .meta({ examples: ['2026-09-01T09:00:00+03:00'] })
    .describe('when to send, at most a year ahead; now when absent'),
  in: z
    .number()
    .min(0)
    .max(maxAheadSeconds)
    .optional()
    .meta({ examples: [60] })
    .describe('instead of `at`: how many seconds after it was accepted; the same call again leaves it at that time'),
  event: id
    .optional()
    .meta({ examples: ['exam-5'] })
    .describe(
      'instead of `at`: the event of yours that it hangs on; it moves with the event, and is cancelled with it',
    ),
  offset: z
    .int()
    .min(-maxAheadSeconds)
    .max(maxAheadSeconds)
    .optional()
    .meta({ examples: [-3600] })
    .describe('of what hangs on an event: how many seconds after the event it is due, negative before; 0 when absent'),
  expires: instant
    .optional()
    .describe('after this it is not sent any more, at most a year ahead; a day after `at` when absent'),
  channels: z.array(channelName).min(1).max(16).optional().describe('only these channels; all of them when absent'),
  steps: messageSteps
    .optional()
    .describe(
      'instead of `channels`: some channels after the others, at most four times, each for those only who are not reached by then',
    ),
  ceiling: ceiling
    .optional()
    .describe(
      'what its SMS may come to at most, in parts or in money: whoever is left when that is spent is not sent it by SMS (`over-ceiling`)',
    )
    .meta({ examples: [{ millionths: 200_000_000, currency: 'RUB' }] }),
  about: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'what it is about, such as coupon:17')
    .optional()
    .describe('of a reminder to one person: of those you have one a person and thing, until it is cancelled')
    .meta({ examples: ['coupon:17'] }),
  class: z.enum(classes).default('normal').describe('who goes first'),
  type: id
    .default(defaultType)
    .describe('what it is about: whose rules hold for it, and what people switch off')
    .meta({ examples: ['news'] }),
  level: level
    .optional()
    .describe('how important it is; as its type says when absent, more than that for operators only'),
  quiet: z
    .enum(quietRespects)
    .optional()
    .describe(
      '`ignore`: it goes out in quiet hours, too, for staff or where its type says so; as its type says when absent',
    ),
  duplicates: z
    .literal('allow')
    .optional()
    .describe('it is sent although the same text was, within the window of its type'),
  whenOnline: whoseOnline
    .optional()
    .describe(
      '`true`: once it is due, each person is sent it when they are reported online (`POST /v1/people:online`); of a message to URLs the id of a person: it is sent when that person is. It expires after seven days when `expires` is absent',
    ),
  recheck: recheck.optional(),
  confirm: confirm
    .optional()
    .describe(
      'its people are asked to confirm it, where the channel can ask (a button in Telegram and VK, an answer by SMS, a link in mail): `true` with the usual words, or with `button` as you say',
    ),
  forecast: z
    .literal(true)
    .optional()
    .describe(
      'what it comes to is worked out, and kept beside what becomes of it: `plan.forecast`. Of a message to URLs, or with steps, there is none',
    ),
  data: givenData
    .optional()
    .describe(
      'for the channel http: stands in its body as it is; at most 16 KB of JSON, with no number beyond ±9007199254740991: that is put in quotes',
    ),
  source: z.enum(sources).default('api').describe('where the message came from'),
  expect: z
    .strictObject({
      size: z
        .int()
        .nonnegative()
        .optional()
        .describe('so many people')
        .meta({ examples: [312] }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe('of their ids, sorted and joined by line feeds, as a rehearsal answers it')
        .meta({ examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'] }),
    })
    .optional()
    .describe('refuse the message (409) unless the audience has this size or hash'),
})

type Timed = z.output<typeof messageFields>

/** What a message leaves out of its time, so that it is the same body as one that says so. */
function withTime(body: Timed): Timed {
  if (body.event !== undefined) return { ...body, offset: body.offset ?? 0 }
  return body.at === undefined && body.in === undefined ? { ...body, at: 'now' } : body
}

interface Texts {
  readonly text?: string | Readonly<Record<string, string>> | undefined
  readonly template?: object | undefined
  readonly language?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
  readonly recipients?: readonly object[] | undefined
}

/** It is written, or it is a stored one. */
function checkText({ text, template }: Texts, context: z.RefinementCtx): void {
  if (text !== undefined || template !== undefined) return
  context.addIssue({ code: 'custom', path: ['text'], message: 'say what people are written, or name a `template`' })
}

/** The language is one of its texts, and in a text with fields all that looks like one is one. */
export function checkTexts({ text, template, language, fields, recipients }: Texts, context: z.RefinementCtx): void {
  const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (text !== undefined && template !== undefined)
    wrong(['template'], 'it is the text of a template or one of its own: leave one of them out')
  const texts = typeof text === 'object' ? text : undefined
  if (language !== undefined && !(texts && Object.hasOwn(texts, language)))
    wrong(['language'], 'of texts in several languages only, and one of theirs')
  if ((!fields && !recipients) || text === undefined) return
  const all = texts ? Object.entries(texts) : [[undefined, String(text)] as const]
  for (const [key, each] of all) {
    const slip = slipDetail(each)
    if (slip !== undefined) wrong(key === undefined ? ['text'] : ['text', key], slip)
  }
}

/** A message says once when it is due, and nothing that does not go together. */
function checkFields(body: Timed, context: z.RefinementCtx): void {
  const { at, in: seconds, event, about, offset, steps, channels, whenOnline } = body
  const wrong = (field: keyof Timed, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (at !== undefined && seconds !== undefined)
    wrong('in', 'it is due `at` a time or `in` so many seconds: leave one of them out')
  if (event !== undefined && (at !== undefined || seconds !== undefined)) {
    const how = 'leave out `at` and `in`, and say with `offset` how long before or after'
    wrong('event', `what hangs on an event is due by that: ${how}`)
  }
  if (event !== undefined && about !== undefined)
    wrong('about', 'what hangs on an event cannot be `about` something besides: leave one of them out')
  if (event === undefined && offset !== undefined)
    wrong('offset', 'of what hangs on an `event` only: name the event, too')
  if (steps !== undefined && channels !== undefined)
    wrong('steps', 'the steps say by which channels it goes: leave `channels` out')
  if (steps !== undefined && whenOnline !== undefined)
    wrong('steps', 'a message waits for people to be online or goes in steps: leave one of them out')
  checkText(body, context)
  checkTexts(body, context)
}

/** One that does not say when it is due is due now. */
export const messageBody = messageFields
  .superRefine(checkFields)
  .overwrite(withTime)
  .describe('a message: whom, what, and when and how where that is not at once and as usual')
  .meta({
    examples: [
      { to: ['role:trainer'], text: 'Fire drill at noon' },
      {
        to: ['group:ekn-101'],
        text: 'The exam is on Monday',
        at: '2026-09-01T09:00:00+03:00',
        channels: ['sms'],
        class: 'urgent',
      },
    ],
  })
export type MessageBody = z.infer<typeof messageBody>
export type MessageInput = z.input<typeof messageBody>
