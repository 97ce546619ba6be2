import type {
  AsksView,
  AuditPage,
  ConfirmationView,
  ConsentInput,
  ConsentView,
  DiaryView,
  EnrolmentInput,
  EnrolmentView,
  ErasureInput,
  ErasureList,
  ErasureView,
  OnlineView,
  PersonData,
  PersonReceipts,
  PushKeyView,
  PushSubscriptionInput,
  WishesInput,
  WishesView,
} from '@courier-fleet/api-types'
import { ApiError } from './errors.ts'
import { type Http, path } from './http.ts'

/** What people do about their own contacts, and operators about everyone's. */
export function peopleCalls(http: Http) {
  const wishes = (person: string) => http.call<WishesView>('GET', path('people', person, 'wishes'))
  const putWishes = (person: string, wanted: WishesInput, version?: string) =>
    http.call<WishesView>('PUT', path('people', person, 'wishes'), {
      body: wanted,
      version,
    })
  return {
    /** What counts of what somebody was sent, and what room the rules leave; their own, or an operator for anyone. */
    diary: (person: string) => http.call<DiaryView>('GET', path('people', person, 'diary')),
    /** What somebody is asked to confirm by a number, as in a text message, the latest first; their own, or an operator for anyone. */
    asks: (person: string) => http.call<AsksView>('GET', path('people', person, 'confirmations')),
    /** One has read a message that asks to be confirmed: for oneself alone, and the first time counts. @param version number of the text that was read */
    confirmOwn: (person: string, key: string, version: number) =>
      http.call<ConfirmationView>('PUT', path('people', person, 'confirmations', key), { body: { version } }),
    /** Whether and when somebody got what, the latest accepted first; for operators. Go on with `to`, which is `next` of the call before. */
    receiptsOfPerson: (person: string, time: { from?: string; to?: string } = {}) =>
      http.call<PersonReceipts>('GET', path('people', person, 'receipts'), { query: { ...time } }),
    /** All that is known of somebody, messages for them page by page; for admins. Go on with `to`, which is `next` of the call before. */
    personData: (person: string, page: { to?: string } = {}) =>
      http.call<PersonData>('GET', path('people', person, 'data'), { query: { ...page } }),
    /** Has somebody erased: nothing is left of them but counts. For admins; it is done once it is not among `erasures()` any more. */
    erase: (person: string, why: ErasureInput) =>
      http.call<ErasureView>('POST', `${path('people', person)}:erase`, { body: why }),
    /** Those that are under way; for admins. */
    erasures: () => http.call<ErasureList>('GET', '/erasures'),
    /** These are online now: what waits for that goes out. With a key of role `presence`, of an inbound process, or an operator's. */
    reportOnline: (people: readonly string[]) =>
      http.call<OnlineView>('POST', '/people:online', { body: { people: [...people] } }),
    /** A one-time code that links a contact; for yourself, or by an operator for anyone. Shown only now. */
    enrol: (enrolment: EnrolmentInput) => http.call<EnrolmentView>('POST', '/enrolments', { body: enrolment }),
    /** What a browser subscribes with to be sent notifications. */
    pushKey: () => http.call<PushKeyView>('GET', '/push-key'),
    /** Has one's own messages shown as notifications of this browser, and of no other any more. */
    subscribeBrowser: (subscription: PushSubscriptionInput) =>
      http.call<void>('PUT', '/push-subscription', { body: subscription }),
    /** Whether messages may go to this channel. */
    setConsent: (person: string, channel: string, consent: ConsentInput) =>
      http.call<ConsentView>('PUT', path('people', person, 'consents', channel), { body: consent }),
    /** What somebody has switched off, and their own quiet hours; their own, or an operator for anyone. */
    wishes,
    /** @param version of the wishes that were read: refused with 412 where there are others by now; whatever they are when absent */
    putWishes,
    /** Puts what `change` makes of them; asked again where somebody has changed them meanwhile. */
    async changeWishes(person: string, change: (before: WishesView) => WishesInput): Promise<WishesView> {
      for (;;) {
        const before = await wishes(person)
        try {
          return await putWishes(person, change(before), before.version)
        } catch (error) {
          if (!(error instanceof ApiError) || error.problem.code !== 'stale-wishes') throw error
        }
      }
    },
    /** Newest first; go on with `before`. */
    audit: (page: { before?: string; limit?: number } = {}) =>
      http.call<AuditPage>('GET', '/audit', { query: { ...page } }),
  }
}
