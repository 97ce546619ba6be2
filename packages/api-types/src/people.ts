/** Shapes of the HTTP API around those who sign in: limits, enrolment, consent, sessions, audit, and a rehearsal of reach. */
import { z } from 'zod'
import { budgetView } from './budgets.ts'
import { isCode } from './code-life.ts'
import { address, contactStates } from './directory.ts'
import {
  agreementIdOf,
  channelId,
  count,
  historyKeyText,
  languageTag,
  moment,
  personId,
  personName,
  roleId,
  sha256Text,
  smallCount,
  words,
  zoneName,
} from './fields.ts'
import { messageFileView } from './files.ts'
import { channelName, dueTime, id, sources } from './given-fields.ts'
import { checkTexts, messageBody } from './message-body.ts'
import { messageText, textInLanguages } from './message-text.ts'
import { messageTypeId, namesInLanguages } from './message-types.ts'
import { plan } from './plan.ts'
import { callerRoles, roles } from './roles.ts'
import { maxTextLength } from './split-text.ts'
import { stepReach } from './steps.ts'

/** A one-time code as people type it; blanks and hyphens between the digits do no harm. */
const oneTimeCode = z
  .string()
  .meta({ examples: ['4711 0815'] })
  .trim()
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine(isCode, 'a code of eight digits, or of twelve')
  .describe('a one-time code of eight digits, or of twelve where it is good for days; blanks and hyphens do no harm')

/** Who is online, as a system that knows it says. */
export const onlineBody = z.strictObject({
  people: z
    .array(id)
    .min(1)
    .max(1000)
    .describe('ids of people; whom the directory does not know is passed over')
    .meta({ examples: [['anna', 'boris']] }),
})

export const onlineView = z.strictObject({
  people: z
    .int()
    .describe('how many were named, each counted once')
    .meta({ examples: [2] }),
})
export type OnlineView = z.infer<typeof onlineView>

/** What is left of the day's messages. All null for those who have no limit: theirs are not counted. */
export const limitsView = z
  .strictObject({
    limit: count.nullable().describe('messages a day, whichever way they are sent'),
    used: count.nullable().describe('of these so many are sent'),
    left: count.nullable().describe('and so many may be sent yet'),
    resetsAt: moment.nullable().describe('when the day is over and all of them are there again'),
    budgets: z
      .array(budgetView)
      .optional()
      .describe('what is left of the budgets that their SMS count under; absent where none does'),
  })
  .describe(
    'how many messages the caller may still send today, all null for those who have no limit; and what their SMS may come to',
  )
export type LimitsView = z.infer<typeof limitsView>

/** As an inbound process says when it starts. */
export const inboundAddress = z
  .string()
  .regex(/^\+?[A-Za-z0-9_.]{3,64}$/, 'the name of a bot or a community, or a number')
  .describe('what people write to: the name of the bot or the community, or the number')
  .meta({ examples: ['university_bot'] })
/** An inbound process says where people reach it. */
export const inboundAddressBody = z.strictObject({ address: inboundAddress })
export type InboundAddressInput = z.input<typeof inboundAddressBody>

export const enrolmentBody = z
  .strictObject({
    channel: channelName,
    person: id.optional().describe('for whom; yourself when absent, anyone else for operators only'),
  })
  .meta({ examples: [{ channel: 'telegram' }] })
export type EnrolmentInput = z.input<typeof enrolmentBody>

export const enrolmentView = z
  .strictObject({
    code: z
      .string()
      .describe('to be typed into the channel, by the person, once; shown only now')
      .meta({ examples: ['47110815'] }),
    person: personId,
    channel: channelId,
    expiresAt: moment.describe('until then it is good'),
    agreement: z
      .string()
      .describe('what whoever sends the code agrees to, in the language of the person: to be shown beside the code')
      .meta({ examples: ['By sending the code you agree to get messages of the university here.'] }),
    to: inboundAddress
      .optional()
      .describe('what the person writes to: the bot, the community or the number; absent until its process has run'),
    url: z
      .string()
      .optional()
      .describe('opens the channel on a phone with the code in it; absent as `to` is')
      .meta({ examples: ['https://t.me/university_bot?start=47110815'] }),
    qr: z
      .string()
      .optional()
      .describe('the URL as a QR code, an SVG picture; absent as `url` is')
      .meta({
        examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 37 37"><path d="M4 4h1v1H4Z"/></svg>'],
      }),
  })
  .describe('a code that links a contact')
export type EnrolmentView = z.infer<typeof enrolmentView>

export const redeemBody = z.strictObject({ channel: channelName, address, code: oneTimeCode })
export type RedeemInput = z.input<typeof redeemBody>

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

export const consentBody = z.strictObject({
  allowed: z.boolean().describe('whether messages may go to this channel'),
  wording: agreementIdOf('page').optional(),
})
export type ConsentInput = z.input<typeof consentBody>
export const contactConsentBody = z.strictObject({
  channel: channelName,
  address,
  allowed: z.boolean().describe('START, or STOP'),
  type: messageTypeId
    .optional()
    .describe('only messages of this type, on every channel; the whole channel when absent'),
})
export type ContactConsentInput = z.input<typeof contactConsentBody>
export const consentView = z
  .strictObject({
    person: personId,
    channel: channelId,
    allowed: z.boolean().describe('whether messages go there now'),
    language: languageTag.describe('of the person, to answer in'),
    type: messageTypeId.optional().describe('as it was named'),
    mandatory: z
      .array(z.strictObject({ id: messageTypeId, name: namesInLanguages }))
      .optional()
      .describe('types that come all the same, where a type was named'),
  })
  .describe('what a person allows on a channel now')
export type ConsentView = z.infer<typeof consentView>

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

/** in one call */
export const maxReads = 1000
export const readBody = z.strictObject({
  channel: channelName,
  reads: z
    .array(
      z.strictObject({
        address,
        upTo: z
          .string()
          .regex(/^[1-9]\d{0,14}$/, 'the number of a message')
          .describe("the provider's id of the newest message that was read: all before it were, too")
          .meta({ examples: ['5301'] }),
      }),
    )
    .min(1)
    .max(maxReads)
    .describe('who has read what, as the provider tells'),
})
export type ReadInput = z.input<typeof readBody>
export const readView = z
  .strictObject({ read: smallCount.describe('receipts that say now that they have been read, and did not before') })
  .describe('what was new of it')
export type ReadView = z.infer<typeof readView>

/** Whoever signs in says who they are by their id, or by one of their contacts. */
const whoever = z.union([
  z.strictObject({ person: id.describe('id of the person').meta({ examples: ['t-gus'] }) }),
  z.strictObject({
    contact: z.strictObject({ channel: channelName, address }).describe('one of the contacts of the person'),
  }),
])
export const signInBody = whoever.describe('who signs in').meta({ examples: [{ person: 't-gus' }] })
export type SignInInput = z.input<typeof signInBody>
export const signInAnswer = z
  .strictObject({
    expiresAt: moment.describe('until then the code is good, if one was sent: the answer is the same for anybody'),
  })
  .describe('a code was sent, if there is such a person with a contact')
export type SignInAnswer = z.infer<typeof signInAnswer>

export const sessionBody = z
  .union([
    z.strictObject({ person: id.describe('id of the person').meta({ examples: ['t-gus'] }), code: oneTimeCode }),
    z.strictObject({
      contact: z.strictObject({ channel: channelName, address }).describe('one of the contacts of the person'),
      code: oneTimeCode,
    }),
  ])
  .describe('who signs in, and the code that was sent')
  .meta({ examples: [{ person: 't-gus', code: '47110815' }] })
export type SessionInput = z.input<typeof sessionBody>

/** Who is calling, however they got in. */
export const sessionView = z
  .strictObject({
    owner: personId.describe('whose histories, groups and limits these are'),
    role: z.enum(callerRoles).describe('what the caller may do'),
    ownRole: z
      .strictObject({ id: roleId, name: namesInLanguages })
      .optional()
      .describe('the role whose quota and budget hold for the caller, where that is none of the five'),
    source: z
      .enum(sources)
      .optional()
      .describe('what histories say of where a message came from; absent: the message says it'),
    person: z
      .strictObject({ name: personName, timeZone: zoneName, language: languageTag })
      .optional()
      .describe('absent for an API key whose owner is not in the directory'),
    limits: limitsView,
    csrfToken: z
      .string()
      .optional()
      .describe('for X-CSRF-Token on every unsafe call of this session; absent for API keys')
      .meta({ examples: ['q1w2e3r4t5y6'] }),
    expiresAt: moment.optional().describe('end of the session unless it is used again before; absent for API keys'),
  })
  .describe('who is calling, and what they may do')
export type SessionView = z.infer<typeof sessionView>

/** Browsers in which a person is signed in. */
export const sessionList = z
  .strictObject({
    sessions: z
      .array(
        z.strictObject({
          id: z
            .string()
            .describe('id of the session, which is no secret')
            .meta({ examples: ['V1StGXR8'] }),
          openedAt: moment.describe('when somebody signed in with it'),
          expiresAt: moment.describe('end of the session unless it is used again before'),
          current: z.boolean().describe('the session of this call'),
        }),
      )
      .describe('newest first'),
  })
  .describe('browsers in which a person is signed in')
export type SessionList = z.infer<typeof sessionList>

const auditActions = [
  'message.sent',
  'message.rescheduled',
  'message.cancelled',
  'message.released',
  'message.waiting-cancelled',
  'message.waiting-sent',
  'file.uploaded',
  'event.put',
  'event.cancelled',
  'contact.linked',
  'contact.taken',
  'contact.unlinked',
  'webhook-secret.rotated',
  'endpoint.enabled',
  'endpoint.disabled',
  'contact.reachable',
  'contact.blocked',
  'consent.given',
  'consent.withdrawn',
  'wishes.changed',
  'application.accepted',
  'application.refused',
  'application.link-made',
  'enrolment.issued',
  'inbound-address.changed',
  'person.created',
  'person.role',
  'person.changed',
  'person.removed',
  'people.imported',
  'import.taken-back',
  'group.changed',
  'group.removed',
  'members.added',
  'members.removed',
  'cohort.changed',
  'cohort.removed',
  'topic.changed',
  'topic.removed',
  'topic.joined',
  'topic.left',
  'api-key.created',
  'api-key.revoked',
  'channel.retired',
  'fleet.rebuilt',
  'shards.grown',
  'channel.paused',
  'channel.resumed',
  'session.opened',
  'session.refused',
  'session.closed',
  'receipts.resolved',
  'receipts.sent-again',
  'receipts.retried',
  'message.corrected',
  'message.recalled',
  'person.told-by-voice',
  'person.told-taken-back',
  'person.looked-up',
  'people.looked-up',
  'person.data-read',
  'person.erasure-asked',
  'person.erased',
  'settings.changed',
  'template.changed',
  'template.archived',
  'subscription.created',
  'subscription.removed',
  'subscription.rotated',
  'subscription.replayed',
  'subscription.disabled',
] as const

export const auditLine = z
  .strictObject({
    id: z
      .string()
      .describe('its place among all lines')
      .meta({ examples: ['1788242400000-0'] }),
    at: moment.describe('when'),
    action: z.enum(auditActions).describe('what was done'),
    by: personId.describe('who did it; an inbound process is named by the owner of its key'),
    via: z
      .string()
      .describe('api, web, or the channel of the inbound process')
      .meta({ examples: ['web'] }),
    person: personId.optional().describe('to whom; of a message, its sender'),
    history: historyKeyText.optional().describe('key of the message'),
    channel: channelId.optional(),
    detail: z
      .string()
      .optional()
      .describe('what more there is to say')
      .meta({ examples: ['group:ekn-101'] }),
    before: z
      .string()
      .optional()
      .describe('what it was')
      .meta({ examples: ['student'] }),
    after: z
      .string()
      .optional()
      .describe('what it is since')
      .meta({ examples: ['trainer'] }),
  })
  .describe('who did what, to whom, when')
export type AuditLine = z.infer<typeof auditLine>
export const auditPage = z
  .strictObject({
    lines: z.array(auditLine).describe('newest first'),
    next: z
      .string()
      .optional()
      .describe('`before` of the next page; absent at the end')
      .meta({ examples: ['1788242400000-0'] }),
  })
  .describe('a page of the audit')
export type AuditPage = z.infer<typeof auditPage>

export const rehearsalBody = z
  .strictObject({
    to: messageBody.shape.to,
    channels: z.array(channelName).min(1).max(16).optional().describe('only these; all when absent'),
    steps: messageBody.shape.steps,
    text: textInLanguages(
      z
        .string()
        .max(maxTextLength)
        .meta({ examples: ['Fire drill at noon'] }),
    )
      .optional()
      .describe('what they would be written: its parts of SMS are counted'),
    template: messageBody.shape.template,
    language: messageBody.shape.language,
    fields: messageBody.shape.fields,
    recipients: messageBody.shape.recipients,
    files: messageBody.shape.files,
    preview: id
      .optional()
      .describe('one of the people: as they would read it; whoever reads the longest, when absent')
      .meta({ examples: ['s-ekn-101-01'] }),
    at: dueTime.default('now').describe('when it would be sent'),
    expires: messageBody.shape.expires,
    class: messageBody.shape.class,
    type: messageBody.shape.type,
    level: messageBody.shape.level,
    quiet: messageBody.shape.quiet,
    duplicates: messageBody.shape.duplicates,
    whenOnline: messageBody.shape.whenOnline,
    recheck: messageBody.shape.recheck,
    confirm: messageBody.shape.confirm,
    ceiling: messageBody.shape.ceiling,
  })
  .refine(({ steps, channels }) => steps === undefined || channels === undefined, {
    path: ['steps'],
    error: 'the steps say by which channels it goes: leave `channels` out',
  })
  .superRefine(checkTexts)
  .describe('a message that is not sent')
  .meta({ examples: [{ to: ['group:ekn-101', 'cohort:ekn'], text: 'Fire drill at noon' }] })
export type RehearsalBody = z.infer<typeof rehearsalBody>
export type RehearsalInput = z.input<typeof rehearsalBody>

export const unreachableReasons = [
  'no-contact',
  'opted-out',
  'no-consent',
  'type-off',
  'blocked',
  'deactivated',
  'invalid',
] as const

/** Whom a message would reach if it went out now. */
export const rehearsalView = z
  .strictObject({
    people: count.describe('each counted once'),
    overlap: smallCount.describe('how often somebody was named again'),
    leftOut: smallCount
      .optional()
      .describe(
        'people who are named and left out by unread, unconfirmed or unreached; absent where there is none of these',
      ),
    sha256: sha256Text.describe('of the audience, for `expect`'),
    channels: z
      .record(
        z.string(),
        z.strictObject({
          reachable: count.describe('people with a usable contact on it'),
          ...(Object.fromEntries(
            unreachableReasons.map((reason) => [
              reason,
              smallCount.describe(`people who cannot be written to there: ${reason}`),
            ]),
          ) as Record<(typeof unreachableReasons)[number], z.ZodInt>),
        }),
      )
      .describe('how many can be reached, by channel'),
    reachable: count.describe('people with a usable contact on at least one of these channels'),
    plan: plan.describe('who would be sent it when, as the rules say'),
    steps: z.array(stepReach).optional().describe('of a message in steps, first to last; absent of all others'),
    record: z
      .strictObject({
        of: smallCount.describe('messages of yours that have ended, of which a range was stated'),
        within: smallCount.describe('those of them that ended within it'),
      })
      .optional()
      .describe(
        'how the ranges of your last hundred messages have held; absent while none has ended of which one was stated',
      ),
    unreachable: z
      .array(
        z.strictObject({
          person: personId,
          name: personName.optional(),
          channels: z
            .record(z.string(), z.enum(unreachableReasons))
            .describe('why not, by channel')
            .meta({ examples: [{ sms: 'opted-out' }] }),
        }),
      )
      .describe('people without a usable contact on any of these channels; the first 1000 of them'),
    senderLines: z
      .record(z.string(), z.string())
      .describe('what recipients read above the text, by channel; a channel without a sender line is absent')
      .meta({ examples: [{ sms: 'Гусева А. П., ИВТ-101' }] }),
    files: z.array(messageFileView).optional().describe('files that would go with it; absent where there are none'),
    text: z
      .strictObject({
        length: smallCount.describe('characters as people count them'),
        tooLongOn: z.array(channelId).describe('channels that cannot take it: whoever has only those does not get it'),
        sms: z
          .strictObject({
            encoding: z
              .enum(['gsm', 'ucs2'])
              .describe('how its characters are written: ucs2 holds less than half as many'),
            parts: smallCount.describe('of one SMS, with the sender line'),
            total: count.describe('parts to be paid for: of one SMS, times those reachable by SMS'),
          })
          .describe('as SMS'),
        most: z
          .strictObject({
            length: z
              .strictObject({ person: personId, characters: smallCount.describe('as people count them') })
              .describe('whose text is the longest'),
            parts: z
              .strictObject({ person: personId, parts: smallCount.describe('of their SMS') })
              .optional()
              .describe('whose SMS has the most parts; absent where nobody is reached by SMS'),
          })
          .optional()
          .describe(
            'of a text that is not the same for everybody; `length` and `parts` above are those of these people',
          ),
        calls: z
          .record(channelId, count.describe('so many calls'))
          .optional()
          .describe(
            'of the same: how often a provider is called that takes one text for many people, by channel; absent where there is no such channel',
          )
          .meta({ examples: [{ vk: 9 }] }),
        preview: z
          .strictObject({
            person: personId,
            name: personName.optional(),
            text: words.describe('as they would read it'),
          })
          .optional()
          .describe(
            'for the person that `preview` names, absent where they are not among the people; else, of a text that is not the same for everybody, for whoever reads the longest',
          ),
      })
      .optional()
      .describe('present when a text was given'),
  })
  .describe('whom a message would reach if it went out now')
export type RehearsalView = z.infer<typeof rehearsalView>
