import type { AuditPage, ConsentInput, ConsentView, EnrolmentInput, EnrolmentView } from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** What people do about their own contacts, and operators about everyone's. */
export function peopleCalls(http: Http) {
  return {
    /** A one-time code that links a contact; for yourself, or by an operator for anyone. Shown only now. */
    enrol: (enrolment: EnrolmentInput) => http.call<EnrolmentView>('POST', '/enrolments', { body: enrolment }),
    /** Whether messages may go to this channel. */
    setConsent: (person: string, channel: string, consent: ConsentInput) =>
      http.call<ConsentView>('PUT', path('people', person, 'consents', channel), { body: consent }),
    /** Newest first; go on with `before`. */
    audit: (page: { before?: string; limit?: number } = {}) =>
      http.call<AuditPage>('GET', '/audit', { query: { ...page } }),
  }
}
