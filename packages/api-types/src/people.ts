/** Shapes of the HTTP API around those who sign in: limits, enrolment, consent, sessions, audit, and a rehearsal of reach. */
import { z } from 'zod'
import { address, contactStates } from './directory.ts'
import { messageTypeId, namesInLanguages } from './message-types.ts'
import { plan } from './plan.ts'
import { callerRoles, roles } from './roles.ts'
import { audienceToken, channelName, dueTime, id, messageBody, messageText, sources } from './schemas.ts'
import { maxTextLength } from './split-text.ts'

/** A one-time code as people type it; blanks and hyphens between the digits do no harm. */
const oneTimeCode = z
  .string()
  .trim()
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{8}$/, 'a code of eight digits'))

/** What is left of the day's messages. All null for those who have no limit: theirs are not counted. */
export const limitsView = z.strictObject({
  limit: z.int().nullable().describe('messages a day, whichever way they are sent'),
  used: z.int().nullable(),
  left: z.int().nullable(),
  resetsAt: z.string().nullable().describe('when the day is over and all of them are there again'),
})
export type LimitsView = z.infer<typeof limitsView>

export const enrolmentBody = z.strictObject({
  channel: channelName,
  person: id.optional().describe('for whom; yourself when absent, anyone else for operators only'),
})
export type EnrolmentInput = z.input<typeof enrolmentBody>

export const enrolmentView = z.strictObject({
  code: z.string().describe('to be typed into the channel, by the person, once; shown only now'),
  person: z.string(),
  channel: z.string(),
  expiresAt: z.string(),
})
export type EnrolmentView = z.infer<typeof enrolmentView>

export const redeemBody = z.strictObject({ channel: channelName, address, code: oneTimeCode })
export type RedeemInput = z.input<typeof redeemBody>

/** The person behind a contact: what an inbound process needs to greet them in their language. */
export const greetingView = z.strictObject({
  person: z.string(),
  name: z.string(),
  role: z.enum(roles),
  language: z.string(),
  channel: z.string(),
})
export type GreetingView = z.infer<typeof greetingView>

/** What an inbound process says to a contact that wrote to it. */
export const answerBody = z.strictObject({
  channel: channelName,
  address,
  text: messageText,
})
export type AnswerInput = z.input<typeof answerBody>

export const consentBody = z.strictObject({ allowed: z.boolean() })
export type ConsentInput = z.input<typeof consentBody>
export const contactConsentBody = z.strictObject({
  channel: channelName,
  address,
  allowed: z.boolean(),
  type: messageTypeId
    .optional()
    .describe('only messages of this type, on every channel; the whole channel when absent'),
})
export type ContactConsentInput = z.input<typeof contactConsentBody>
export const consentView = z.strictObject({
  person: z.string(),
  channel: z.string(),
  allowed: z.boolean(),
  language: z.string().describe('of the person, to answer in'),
  type: z.string().optional().describe('as it was named'),
  mandatory: z
    .array(z.strictObject({ id: messageTypeId, name: namesInLanguages }))
    .optional()
    .describe('types that come all the same, where a type was named'),
})
export type ConsentView = z.infer<typeof consentView>

export const heardBody = z.strictObject({
  channel: channelName,
  address,
  heard: z
    .enum(['message', 'allowed', 'denied'])
    .describe('it wrote, it allows messages (again), or it has blocked them, as the provider tells'),
})
export type HeardInput = z.input<typeof heardBody>
export const heardView = z.strictObject({
  person: z.string(),
  channel: z.string(),
  state: z.enum(contactStates).describe('of the contact now; `opted-out` stays until START'),
  language: z.string().describe('of the person, to answer in'),
})
export type HeardView = z.infer<typeof heardView>

/** Whoever signs in says who they are by their id, or by one of their contacts. */
const whoever = z.union([
  z.strictObject({ person: id }),
  z.strictObject({ contact: z.strictObject({ channel: channelName, address }) }),
])
export const signInBody = whoever
export type SignInInput = z.input<typeof signInBody>
export const signInAnswer = z.strictObject({
  expiresAt: z.string().describe('until then the code is good, if one was sent: the answer is the same for anybody'),
})
export type SignInAnswer = z.infer<typeof signInAnswer>

export const sessionBody = z.union([
  z.strictObject({ person: id, code: oneTimeCode }),
  z.strictObject({ contact: z.strictObject({ channel: channelName, address }), code: oneTimeCode }),
])
export type SessionInput = z.input<typeof sessionBody>

/** Who is calling, however they got in. */
export const sessionView = z.strictObject({
  owner: z.string().describe('whose histories, groups and limits these are'),
  role: z.enum(callerRoles),
  source: z
    .enum(sources)
    .optional()
    .describe('what histories say of where a message came from; absent: the message says it'),
  person: z
    .strictObject({ name: z.string(), timeZone: z.string(), language: z.string() })
    .optional()
    .describe('absent for an API key whose owner is not in the directory'),
  limits: limitsView,
  csrfToken: z
    .string()
    .optional()
    .describe('for X-CSRF-Token on every unsafe call of this session; absent for API keys'),
  expiresAt: z.string().optional().describe('end of the session unless it is used again before; absent for API keys'),
})
export type SessionView = z.infer<typeof sessionView>

/** Browsers in which a person is signed in. */
export const sessionList = z.strictObject({
  sessions: z
    .array(
      z.strictObject({
        id: z.string(),
        openedAt: z.string(),
        expiresAt: z.string().describe('end of the session unless it is used again before'),
        current: z.boolean().describe('the session of this call'),
      }),
    )
    .describe('newest first'),
})
export type SessionList = z.infer<typeof sessionList>

const auditActions = [
  'message.sent',
  'message.rescheduled',
  'message.cancelled',
  'message.released',
  'message.waiting-cancelled',
  'message.waiting-sent',
  'contact.linked',
  'contact.taken',
  'contact.unlinked',
  'contact.reachable',
  'contact.blocked',
  'consent.given',
  'consent.withdrawn',
  'wishes.changed',
  'enrolment.issued',
  'person.created',
  'person.role',
  'person.changed',
  'person.removed',
  'people.imported',
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
  'channel.paused',
  'channel.resumed',
  'session.opened',
  'session.refused',
  'session.closed',
  'receipts.resolved',
  'receipts.sent-again',
  'settings.changed',
] as const

export const auditLine = z.strictObject({
  id: z.string(),
  at: z.string(),
  action: z.enum(auditActions),
  by: z.string().describe('who did it; an inbound process is named by the owner of its key'),
  via: z.string().describe('api, web, or the channel of the inbound process'),
  person: z.string().optional().describe('to whom; of a message, its sender'),
  history: z.string().optional().describe('key of the message'),
  channel: z.string().optional(),
  detail: z.string().optional(),
  before: z.string().optional().describe('what it was'),
  after: z.string().optional().describe('what it is since'),
})
export type AuditLine = z.infer<typeof auditLine>
export const auditPage = z.strictObject({
  lines: z.array(auditLine).describe('newest first'),
  next: z.string().optional().describe('`before` of the next page; absent at the end'),
})
export type AuditPage = z.infer<typeof auditPage>

export const rehearsalBody = z.strictObject({
  to: z.array(audienceToken).min(1).max(1000),
  channels: z.array(channelName).min(1).max(16).optional().describe('only these; all when absent'),
  text: z.string().max(maxTextLength).optional(),
  at: dueTime.default('now').describe('when it would be sent'),
  expires: messageBody.shape.expires,
  class: messageBody.shape.class,
  type: messageBody.shape.type,
  level: messageBody.shape.level,
  quiet: messageBody.shape.quiet,
  duplicates: messageBody.shape.duplicates,
})
export type RehearsalBody = z.infer<typeof rehearsalBody>
export type RehearsalInput = z.input<typeof rehearsalBody>

export const unreachableReasons = ['no-contact', 'opted-out', 'type-off', 'blocked', 'deactivated', 'invalid'] as const

/** Whom a message would reach if it went out now. */
export const rehearsalView = z.strictObject({
  people: z.int().describe('each counted once'),
  overlap: z.int().describe('how often somebody was named again'),
  leftOut: z
    .int()
    .optional()
    .describe('people who are named and left out by unread or unconfirmed; absent where there is none of these'),
  sha256: z.string().describe('of the audience, for `expect`'),
  channels: z.record(
    z.string(),
    z.strictObject({
      reachable: z.int(),
      ...(Object.fromEntries(unreachableReasons.map((reason) => [reason, z.int()])) as Record<
        (typeof unreachableReasons)[number],
        z.ZodInt
      >),
    }),
  ),
  reachable: z.int().describe('people with a usable contact on at least one of these channels'),
  plan: plan.describe('who would be sent it when, as the rules say'),
  unreachable: z
    .array(
      z.strictObject({
        person: z.string(),
        name: z.string().optional(),
        channels: z.record(z.string(), z.enum(unreachableReasons)),
      }),
    )
    .describe('people without a usable contact on any of these channels; the first 1000 of them'),
  senderLines: z
    .record(z.string(), z.string())
    .describe('what recipients read above the text, by channel; a channel without a sender line is absent'),
  text: z
    .strictObject({
      length: z.int().describe('characters as people count them'),
      tooLongOn: z.array(z.string()).describe('channels that cannot take it: whoever has only those does not get it'),
      sms: z.strictObject({
        encoding: z.enum(['gsm', 'ucs2']),
        parts: z.int().describe('of one SMS, with the sender line'),
        total: z.int().describe('parts to be paid for: of one SMS, times those reachable by SMS'),
      }),
    })
    .optional()
    .describe('present when a text was given'),
})
export type RehearsalView = z.infer<typeof rehearsalView>
