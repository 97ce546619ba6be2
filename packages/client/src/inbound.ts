import type {
  Acceptance,
  AnswerInput,
  ConfirmationInput,
  ConfirmationView,
  ConsentView,
  ContactConsentInput,
  GreetingView,
  HeardInput,
  HeardView,
  InboundAddressInput,
  ReadInput,
  ReadView,
  RedeemInput,
  SetAsideInput,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'
import type { Repeatable } from './messages.ts'

/** What an inbound process does by itself, about the contacts of its channel. */
export function inboundCalls(http: Http) {
  return {
    /** What people write to on this channel: codes are issued with a URL that leads there. */
    putInboundAddress: (channel: string, inbound: InboundAddressInput) =>
      http.call<void>('PUT', path('channels', channel, 'inbound-address'), { body: inbound }),
    /** Links the contact that typed the code; the same contact may repeat it. */
    redeem: (enrolment: RedeemInput) => http.call<GreetingView>('POST', '/enrolments:redeem', { body: enrolment }),
    /** STOP or START, as the contact wrote it. */
    recordConsent: (consent: ContactConsentInput) => http.call<ConsentView>('POST', '/consents', { body: consent }),
    /** What was heard of a contact: that it can be written to, or cannot any more. */
    hear: (heard: HeardInput) => http.call<HeardView>('POST', '/contacts:hear', { body: heard }),
    /** Who has read what was sent to them, as the provider tells. */
    noteRead: (read: ReadInput) => http.call<ReadView>('POST', '/contacts:read', { body: read }),
    /** That something a contact wrote cannot be dealt with, and is not tried again; it is counted. */
    noteSetAside: (setAside: SetAsideInput) => http.call<void>('POST', '/contacts:set-aside', { body: setAside }),
    /** A contact has pressed the button that confirms a message, or written its number back. */
    confirm: (confirmation: ConfirmationInput) =>
      http.call<ConfirmationView>('POST', '/confirmations', { body: confirmation }),
    /** Answers a contact that wrote; never twice when repeated with the same idempotency key. */
    answer: (answer: AnswerInput, { idempotencyKey }: Repeatable = {}) =>
      http.call<Acceptance>('POST', '/answers', { body: answer, idempotencyKey }),
  }
}
