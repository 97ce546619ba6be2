import type {
  Acceptance,
  AnswerInput,
  ConsentView,
  ContactConsentInput,
  GreetingView,
  HeardInput,
  HeardView,
  RedeemInput,
} from '@courier-fleet/api-types'
import type { Http } from './http.ts'
import type { Repeatable } from './messages.ts'

/** What an inbound process does by itself, about the contacts of its channel. */
export function inboundCalls(http: Http) {
  return {
    /** Links the contact that typed the code; the same contact may repeat it. */
    redeem: (enrolment: RedeemInput) => http.call<GreetingView>('POST', '/enrolments:redeem', { body: enrolment }),
    /** STOP or START, as the contact wrote it. */
    recordConsent: (consent: ContactConsentInput) => http.call<ConsentView>('POST', '/consents', { body: consent }),
    /** What was heard of a contact: that it can be written to, or cannot any more. */
    hear: (heard: HeardInput) => http.call<HeardView>('POST', '/contacts:hear', { body: heard }),
    /** Answers a contact that wrote; never twice when repeated with the same idempotency key. */
    answer: (answer: AnswerInput, { idempotencyKey }: Repeatable = {}) =>
      http.call<Acceptance>('POST', '/answers', { body: answer, idempotencyKey }),
  }
}
