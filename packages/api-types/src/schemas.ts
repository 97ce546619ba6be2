/** The shapes of the HTTP API, version 1: the service validates with them, the client is typed by them, OpenAPI is made from them. */
import { z } from 'zod'
import { ceiling, ceilingView } from './ceiling.ts'
import { confirm, confirmed, confirmedCounts } from './confirm.ts'
import {
  channelId,
  count,
  historyKeyText,
  moment,
  personId,
  personName,
  sha256Text,
  smallCount,
  typeId,
  words,
} from './fields.ts'
import { messageFiles, messageFileView } from './files.ts'
import { channelPattern, classes, idPattern } from './history-key.ts'
import { limit } from './limit.ts'
import { defaultType, level, quietRespects } from './message-rules.ts'
import { aboutMessagePattern, unreadPattern } from './narrowing.ts'
import { whyNotDelivered, whyUnknown } from './people-classes.ts'
import {
  fieldNamePattern,
  languageKeyPattern,
  maxFieldLength,
  maxFields,
  ownFields,
  slipDetail,
} from './personal-text.ts'
import { plan } from './plan.ts'
import { reasons } from './reasons.ts'
import { receiptStates } from './receipt-state.ts'
import { recheck, recheckView } from './recheck.ts'
import { maxTextLength } from './split-text.ts'
import { messageSteps, stepView } from './steps.ts'
import { urlPattern } from './url-recipients.ts'
import { waveCauses } from './waves.ts'

export const id = z
  .string()
  .regex(idPattern, 'letters, digits, - and _ only, at most 64')
  .describe('an id: letters, digits, - and _, at most 64')
  .meta({ examples: ['ekn-101'] })
export const channelName = z
  .string()
  .regex(channelPattern, 'a channel name such as telegram, vk or sms')
  .describe('a channel, such as telegram, vk or sms')
  .meta({ examples: ['sms'] })
/** Read in UTC: the same moment is the same text, whatever offset it was written with. */
export const instant = z.iso
  .datetime({ offset: true, error: 'an ISO 8601 date-time with offset, such as 2026-09-01T09:00:00+03:00' })
  .overwrite((text) => {
    const ms = Date.parse(text)
    return Number.isNaN(ms) ? text : new Date(ms).toISOString()
  })
  .meta({ examples: ['2026-09-01T09:00:00+03:00'] })
export const sources = ['bot', 'web', 'sms', 'api'] as const
export type Source = (typeof sources)[number]

export const audienceToken = z
  .string()
  .regex(
    new RegExp(
      `^(user|group|cohort|topic):[A-Za-z0-9_-]{1,64}$|^role:[a-z][a-z0-9-]{0,31}$|${unreadPattern.source}|${aboutMessagePattern.source}|${urlPattern.source}`,
    ),
    {
      error: ({ input }) =>
        `${JSON.stringify(String(input).slice(0, 80))} names nobody: write user:<id>, group:<id>, cohort:<id>, topic:<id> or role:<role>; to leave only some of those, unread:<days>d, unconfirmed:<key> or unreached:<key>; or url:https://…, and then nothing but URLs`,
    },
  )
  .meta({ examples: ['group:ekn-101', 'role:trainer', 'user:s-ekn-101-01'] })

/**
 * Half a character (a surrogate alone, as it is left when a text is cut by its length) is replaced by U+FFFD at acceptance:
 * providers differ in what they make of it, and nobody is to be told another text than the others.
 */
const wholeCharacters = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD')

/** What people are written. */
export const messageText = z
  .string()
  .max(maxTextLength)
  .overwrite(wholeCharacters)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .describe('what people are written, 1 to 20 000 characters; a channel that takes less splits it')
  .meta({ examples: ['Fire drill at noon'] })

/** the first part of a BCP 47 tag */
const languageKey = z.string().regex(languageKeyPattern, 'a language such as ru, en or de')
const maxLanguages = 8
const shownTexts = { examples: [{ ru: 'Учебная тревога в полдень', en: 'Fire drill at noon' }] }

/** By language. @param text each of them */
const inLanguages = <Text extends z.ZodType<string, string>>(text: Text) =>
  z
    .record(languageKey, text)
    .refine((texts) => {
      const { length } = Object.keys(texts)
      return length >= 1 && length <= maxLanguages
    }, `texts in 1 to ${maxLanguages} languages`)
    .meta(shownTexts)

const textOrTexts = 'a text, or texts by language such as {"ru": "…", "en": "…"}'
/** @param text one of them */
export const textInLanguages = <Text extends z.ZodType<string, string>>(text: Text) =>
  z.union([text, inLanguages(text)], { error: textOrTexts })

export const textLanguage = languageKey
  .optional()
  .describe(
    'of texts in several languages: whose text is for people of other languages; that of the fleet (setting `language`) when absent',
  )
  .meta({ examples: ['ru'] })

/** Values for the fields of texts, by name. */
export const fieldValues = z
  .record(
    z
      .string()
      .regex(fieldNamePattern, 'a name of a field: a letter, then letters, digits, - and _, at most 32')
      .refine((name) => !ownFields.some((own) => own === name), `${ownFields.join(' and ')} are known of each person`),
    z
      .string()
      .max(maxFieldLength)
      .overwrite(wholeCharacters)
      .refine((value) => value.trim() !== '', 'must not be empty'),
  )
  .refine((fields) => Object.keys(fields).length <= maxFields, `at most ${maxFields} fields`)
  .meta({ examples: [{ room: '204' }] })

/** Of one message. */
export const messageFieldValues = fieldValues.describe(
  'where it is given, the text has fields: `{{name}}`, `{{id}}` and these stand for values, `{{room|the hall}}` has another in the place of one that is not there, and `{{{{` is two braces. Without it braces are braces; `{}` where the person alone is asked for',
)

export const maxRecipients = 1000
export const maxRecipientsBytes = 65_536
export const recipientValues = z
  .array(
    z.strictObject({
      person: id.describe('one of the people it is for').meta({ examples: ['s-ekn-101-01'] }),
      fields: fieldValues.describe('values for the fields of the text, as this person reads it'),
    }),
  )
  .min(1)
  .max(maxRecipients)
  .refine((rows) => new Set(rows.map(({ person }) => person)).size === rows.length, 'a person stands there once')
  .refine(
    (rows) => new TextEncoder().encode(JSON.stringify(rows)).length <= maxRecipientsBytes,
    `must not be more than ${maxRecipientsBytes} bytes of JSON`,
  )
  .describe(
    'where it is given, the text has fields, and these are the values for one of its people each: they hold before those of `fields` and what the person has. At most 1000, 64 KB of JSON; `to` says whom it goes to',
  )
  .meta({ examples: [[{ person: 's-ekn-101-01', fields: { room: '204' } }]] })

/** A stored text, and which of its versions. */
const templateRef = z
  .strictObject({
    id: id.describe('id of the template').meta({ examples: ['exam-room'] }),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('which of its versions; the newest when the message is accepted, when absent')
      .meta({ examples: [3] }),
  })
  .describe('instead of `text`: a stored text, `GET /v1/templates`; the version is fixed when the message is accepted')

export const maxDataBytes = 16_384
/** What programs are told beside the text. */
export const messageData = z
  .record(z.string(), z.unknown())
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

/** When something is to happen, as a caller says it. */
export const dueTime = z.union([z.literal('now'), instant]).meta({ examples: ['now', '2026-09-01T09:00:00+03:00'] })

/** a year, a day more in a leap year: so far ahead may a message be due */
const maxAheadSeconds = 366 * 86_400

const whoseOnline = z.union([z.literal(true), id]).meta({ examples: [true] })

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

/** A message says once when it is due; one that does not is due now. */
export const messageBody = messageFields
  .refine(({ at, in: seconds }) => at === undefined || seconds === undefined, {
    path: ['in'],
    error: 'it is due `at` a time or `in` so many seconds: leave one of them out',
  })
  .refine(({ at, in: seconds, event }) => event === undefined || (at === undefined && seconds === undefined), {
    path: ['event'],
    error:
      'what hangs on an event is due by that: leave out `at` and `in`, and say with `offset` how long before or after',
  })
  .refine(({ event, about }) => event === undefined || about === undefined, {
    path: ['about'],
    error: 'what hangs on an event cannot be `about` something besides: leave one of them out',
  })
  .refine(({ event, offset }) => event !== undefined || offset === undefined, {
    path: ['offset'],
    error: 'of what hangs on an `event` only: name the event, too',
  })
  .refine(({ steps, channels }) => steps === undefined || channels === undefined, {
    path: ['steps'],
    error: 'the steps say by which channels it goes: leave `channels` out',
  })
  .refine(({ steps, whenOnline }) => steps === undefined || whenOnline === undefined, {
    path: ['steps'],
    error: 'a message waits for people to be online or goes in steps: leave one of them out',
  })
  .superRefine(checkText)
  .superRefine(checkTexts)
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

/** One channel's line of the ledger; the states sum up to `accepted`, always. */
export const channelLedger = z
  .strictObject({
    state: z
      .enum(['waiting', 'running', 'settled'])
      .describe('waiting: none of its couriers has begun; settled: this channel is done with everyone'),
    accepted: count.describe('people of the audience'),
    ...(Object.fromEntries(
      receiptStates.map((state) => [state, count.describe(`people whose receipt is ${state}`)]),
    ) as Record<(typeof receiptStates)[number], z.ZodInt>),
  })
  .describe('how far the message is on one channel: how many receipts are in which state')
export type ChannelLedger = z.infer<typeof channelLedger>

/**
 * What a message amounts to, of those with a contact: `everyone` has it for certain; `handed-over`: it was sent or taken for
 * everyone, and is not confirmed for all; `some`: for some of them; `unknown`: nobody is known to have it, and of some it is
 * not known; `nothing`: nobody has it; `nobody` has a contact.
 */
export const endings = ['everyone', 'handed-over', 'some', 'unknown', 'nothing', 'nobody'] as const
export type Ending = (typeof endings)[number]

export const decisions = ['told-delivered', 'told-failed', 'sent-again'] as const

export const historyStates = ['issued', 'scheduled', 'running', 'settled', 'cancelled'] as const
export type HistoryState = (typeof historyStates)[number]

/** As lists part messages: `held` is scheduled, was due, and waits for an operator. */
export const listStates = ['scheduled', 'held', 'running', 'settled', 'cancelled'] as const
export type ListState = (typeof listStates)[number]

/** Everyone of the audience, each in exactly one class: the first that fits one of their receipts. */
export const peopleCounts = z
  .strictObject({
    delivered: count.describe('known to have it: a receipt is delivered, read or confirmed'),
    sentToChat: count.describe(
      'sent to their chat, or taken by the system behind their URL, which is all that channel can ever say (Telegram, VK, HTTP)',
    ),
    handedOver: count.describe('taken by a provider that has not confirmed it yet: it may arrive or fail (SMS, mail)'),
    pending: count.describe('still to be sent on some channel'),
    toldByVoice: count.describe(
      'the sender or an operator has told them by voice; no channel is known to have reached them',
    ),
    unknown: count.describe('not known whether it was sent, and sent on no other channel'),
    notDelivered: count.describe('every try ended without it'),
    withoutContact: count.describe('no contact on any of its channels'),
    why: z
      .partialRecord(z.enum(whyNotDelivered), count)
      .describe('why not, one reason for each of `notDelivered`: that of the try that came nearest to them'),
    whyUnknown: z.partialRecord(z.enum(whyUnknown), count).describe('why that is, one reason for each of `unknown`'),
  })
  .describe('everyone of the audience, over all channels, each counted once')
export type PeopleCounts = z.infer<typeof peopleCounts>

/** What makes a text another for each, as a history shows it: of the newest text, and of each older one. */
const manyTexts = {
  language: languageKey
    .optional()
    .describe('of that text, where there are others; absent where everybody has the same')
    .meta({ examples: ['ru'] }),
  texts: z
    .record(languageKey, words)
    .optional()
    .describe('for people of other languages, by language')
    .meta({ examples: [{ en: 'Fire drill at noon' }] }),
  fields: messageFieldValues.optional().describe('values of this message for the fields of its text'),
  ownValues: count.optional().describe('so many of its people have values of their own in it (`recipients`)'),
  template: z
    .strictObject({
      id: z
        .string()
        .describe('its id')
        .meta({ examples: ['exam-room'] }),
      version: z
        .int()
        .describe('which of its versions')
        .meta({ examples: [3] }),
    })
    .optional()
    .describe('whose text it is'),
}

/** Of one correction, on one channel: everyone who had an older text is in one of them. */
const correctedCounts = z.strictObject({
  edited: count.describe('the message they had was edited'),
  followedUp: count.describe('they were sent a message of its own that says what it corrects'),
  pending: count.describe('still to be corrected'),
  unknown: count.describe('nobody knows whether the message of its own was sent'),
  uncorrected: count.describe('they still have the older text, or may have it'),
  alsoTold: count
    .optional()
    .describe('of `edited`: they were sent a message of its own besides; absent unless that was wanted'),
  toBeTold: count.optional().describe('of `edited`: they are still to be sent one'),
})

/** Of a recall, on one channel: everyone who had the message, or may have had it, is in one of them. */
const recalledCounts = z.strictObject({
  deleted: count.describe('the message they had is deleted, at theirs'),
  replaced: count.describe('it could not be deleted any more, and says now that it was withdrawn'),
  pending: count.describe('still to be withdrawn'),
  remaining: count.describe('they still have it, or may have it: the channel cannot take it back, or not any more'),
})

export const historyView = z
  .strictObject({
    key: historyKeyText,
    state: z
      .enum(historyStates)
      .describe(
        'issued: a key without a message; scheduled: not due yet; running: couriers are at it; settled: all are done',
      ),
    sender: personId.describe('who sent it'),
    senderName: personName.optional().describe('in lists of others’ messages: what the directory calls the sender'),
    source: z.enum(sources).optional().describe('where it came from'),
    text: words
      .optional()
      .describe('what people are written; of a text that is not the same for everybody as its sender wrote it'),
    ...manyTexts,
    subject: words.optional().describe('for channels that have one'),
    files: z
      .array(messageFileView)
      .optional()
      .describe('files that went with it, which may not be there any more; absent where there are none'),
    senderLine: words
      .optional()
      .describe('who writes, and to which groups, as recipients read it above the text; a channel may show less of it')
      .meta({ examples: ['Гусева А. П. · ИВТ-101'] }),
    about: z
      .string()
      .optional()
      .describe('what the reminder is about')
      .meta({ examples: ['coupon:17'] }),
    event: z
      .strictObject({
        id: z
          .string()
          .describe('as its sender calls it')
          .meta({ examples: ['exam-5'] }),
        offset: z
          .int()
          .describe('seconds after it, negative before')
          .meta({ examples: [-3600] }),
      })
      .optional()
      .describe('the event it hangs on, which moves it and cancels it'),
    to: z
      .array(z.string())
      .optional()
      .describe('whom it was addressed to')
      .meta({ examples: [['role:trainer']] }),
    class: z.enum(classes).optional().describe('who goes first'),
    type: z
      .strictObject({
        id: typeId,
        name: z
          .strictObject({
            ru: z
              .string()
              .describe('in Russian')
              .meta({ examples: ['Новости'] }),
            en: z
              .string()
              .describe('in English')
              .meta({ examples: ['News'] }),
          })
          .optional()
          .describe('absent where the type was removed'),
      })
      .optional()
      .describe('what it is about'),
    level: level.optional().describe('as the message said; absent where that is what its type says'),
    quiet: z.enum(quietRespects).optional().describe('likewise'),
    duplicates: z.literal('allow').optional().describe('likewise'),
    whenOnline: whoseOnline
      .optional()
      .describe('it waits until its people are online, or the person who is named; absent where it does not'),
    recheck: recheckView.optional(),
    confirm: confirm.optional().describe('its people are asked to confirm it; absent where they are not'),
    confirmed: confirmedCounts.optional(),
    deadline: z
      .strictObject({
        within: z
          .string()
          .describe('so long after it was due, as its type said when it was accepted')
          .meta({ examples: ['PT30M'] }),
        inTime: count.describe('people who were told of it by then: a provider has taken it for them on some channel'),
        late: count.describe('people who were told of it later'),
      })
      .optional()
      .describe('whom it was to reach by when, and whom it did; absent where its type had no deadline'),
    data: messageData.optional().describe('what the channel http has in its body beside the text'),
    audience: z
      .strictObject({ size: count.describe('so many people'), sha256: sha256Text })
      .optional()
      .describe('the people it is for, fixed when it was accepted'),
    at: moment.optional().describe('due time'),
    expires: moment.optional().describe('after this it is not sent any more'),
    acceptedAt: moment.optional().describe('when it was accepted'),
    heldSince: moment
      .optional()
      .describe(
        'since when it waits for an operator: its sender was removed, or may send less than when it was accepted',
      ),
    startedAt: moment.optional().describe('when it was handed to its channels'),
    settledAt: moment.optional().describe('when the last of its channels was done'),
    cancelledAt: moment.optional().describe('when it was cancelled or stopped'),
    cancelledBy: personId.optional().describe('who cancelled it'),
    expected: z
      .array(channelId)
      .describe('the channels it waits for: those the sender named, else those in use when it started'),
    channels: z.record(z.string(), channelLedger).describe('how far it is, by channel'),
    plan: plan
      .optional()
      .describe('who is sent it when, as the rules said when it was accepted or moved; absent where none holds for it'),
    steps: z
      .array(stepView)
      .optional()
      .describe('of a message that goes by some channels after others, first to last; absent of all others'),
    ceiling: ceilingView.optional(),
    waiting: z
      .array(
        z.strictObject({
          at: moment.describe('when they are looked at again'),
          people: count.describe('at most so many: whoever has been told since no longer waits'),
          channel: channelId,
          cause: z.enum(waveCauses).describe('why they wait'),
          words: z
            .string()
            .describe('the same in words')
            .meta({ examples: ['quiet hours: until 08:00 on their own clocks'] }),
        }),
      )
      .optional()
      .describe('who waits for a later wave; absent when nobody does'),
    decisions: z
      .array(
        z.strictObject({
          decision: z.enum(decisions).describe('what was decided'),
          channel: channelId,
          by: personId.describe('who decided it'),
          people: count.describe('of so many people'),
          at: moment.describe('for the last time'),
        }),
      )
      .optional()
      .describe('what people have decided of receipts that were unknown; absent while nobody has'),
    versions: z
      .array(
        z.strictObject({
          text: words.optional().describe('of this version; absent where its only recipient was erased'),
          ...manyTexts,
          at: moment.describe('when it was accepted'),
          by: personId.describe('whose text it is'),
          corrected: z
            .record(z.string(), correctedCounts)
            .optional()
            .describe('of a correction, by channel: what became of those who had, or may have had, an older text'),
          confirmed: count
            .optional()
            .describe('people who have confirmed this text; absent where the message does not ask for it'),
        }),
      )
      .optional()
      .describe('the texts of a message that was corrected, the first one first; absent of all others'),
    recalled: z
      .strictObject({
        at: moment.describe('when that was accepted: from then on nobody is sent it'),
        channels: z
          .record(z.string(), recalledCounts)
          .describe('by channel: what became of the message with those who had it, or may have had it'),
      })
      .optional()
      .describe('of a message that was withdrawn from those who had it; absent of all others'),
    people: peopleCounts
      .optional()
      .describe('everyone of the audience, over all channels, from the start on; their sum is its size'),
  })
  .describe('a message and what has become of it so far')
export type HistoryView = z.infer<typeof historyView>

const contactEnd = z
  .string()
  .describe('of who has several contacts on the channel: how the address of this one ends')
  .meta({ examples: ['67'] })

export const receiptView = z
  .strictObject({
    ordinal: smallCount.describe('place in the audience, from 0'),
    person: personId,
    name: personName.optional(),
    channels: z
      .record(
        z.string(),
        z.strictObject({
          state: z.enum(receiptStates).describe('what is known of this person on this channel'),
          waiting: z
            .strictObject({
              at: moment.describe('not sent before this time; of who is to be online first: when it expires'),
              cause: z.enum(waveCauses).describe('why they wait'),
            })
            .optional()
            .describe('of who is pending and waits for a later wave; absent for who is being sent to'),
          at: moment
            .optional()
            .describe('when it came to this state (not to those before); absent while it is pending'),
          providerId: z
            .string()
            .optional()
            .describe('what the provider calls it')
            .meta({ examples: ['16'] }),
          reason: z.enum(reasons).optional().describe('why, as a class; absent where the state says it all'),
          detail: z
            .string()
            .optional()
            .describe("the provider's own words")
            .meta({ examples: ['ESME_RINVDSTADR: the SMS centre refused it'] }),
          limit: limit.optional().describe('of whoever has had enough: which rule says so, and until when'),
          toldBy: personId.optional().describe('who has told what became of it, where that was unknown'),
          contact: contactEnd.optional(),
          earlier: z
            .array(
              z.strictObject({
                contact: contactEnd,
                state: z.enum(receiptStates).describe('what is known of it by that one'),
                at: moment.optional().describe('when it came to this state'),
                reason: z.enum(reasons).optional().describe('why, as a class; absent where the state says it all'),
                providerId: z
                  .string()
                  .optional()
                  .describe('what the provider calls it')
                  .meta({ examples: ['16'] }),
                detail: z
                  .string()
                  .optional()
                  .describe("the provider's own words")
                  .meta({ examples: ['ESME_RINVDSTADR: the SMS centre refused it'] }),
              }),
            )
            .optional()
            .describe(
              'of who has several contacts on the channel: those that were tried before, in order; the receipt is about the one after them',
            ),
          sentWith: historyKeyText
            .optional()
            .describe(
              'its text went below that of this message of the same sender, which was due first: so it may be earlier than it was due',
            ),
        }),
      )
      .describe('the receipt, by channel'),
    toldByVoice: z
      .strictObject({ by: personId.describe('who says so'), at: moment.describe('since when') })
      .optional()
      .describe('somebody says that they have told this person themselves'),
    confirmed: confirmed.optional(),
    corrections: z
      .record(
        z.string(),
        z.strictObject({
          state: z.enum(receiptStates).describe('what is known of it'),
          at: moment.optional().describe('when it came to this state; absent while it is pending'),
          reason: z.enum(reasons).optional().describe('how, or why not; absent where the state says it all'),
        }),
      )
      .optional()
      .describe(
        'what became of each correction, and of a recall, with this person, by channel and version (`telegram~2`; `telegram~2~told` for the message that tells of an edit besides); absent of whoever had nothing to correct',
      ),
  })
  .describe('one person of a message, and their receipt on each channel')
export type ReceiptView = z.infer<typeof receiptView>

/** What a tracker answers: everything settled, or what is known at the timeout, the silent channels named. */
export const trackerReport = z
  .strictObject({
    settled: z
      .boolean()
      .describe('every courier is done with it; `people.handedOver` may still be confirmed or fail after that'),
    silent: z.array(channelId).describe('expected channels that have not settled'),
    ending: z.enum(endings).describe('what it amounts to, of those with a contact'),
    sentence: z
      .string()
      .describe('the ending in words')
      .meta({ examples: ['Everyone has it: 40 of 40.'] }),
    history: historyView,
  })
  .describe('a message that was waited for: whether it has settled, what it amounts to, and all that is known')
export type TrackerReport = z.infer<typeof trackerReport>
