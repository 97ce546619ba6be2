import type {
  LimitsView,
  SessionInput,
  SessionList,
  SessionView,
  SignInAnswer,
  SignInInput,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** Who is calling, what they may still send, and signing in to the web. */
export function sessionCalls(http: Http) {
  return {
    whoIsCalling: () => http.call<SessionView>('GET', '/sessions/current'),
    limits: () => http.call<LimitsView>('GET', '/limits'),
    /** Has a sign-in code sent to the person's own channels. */
    requestCode: (who: SignInInput) => http.call<SignInAnswer>('POST', '/sign-ins', { body: who }),
    /** Signs in with the code; the answer sets the session cookie. */
    openSession: (session: SessionInput) => http.call<SessionView>('POST', '/sessions', { body: session }),
    /** Browsers that are signed in: your own, or by an operator somebody's. */
    sessions: (person?: string) => http.call<SessionList>('GET', '/sessions', { query: { person } }),
    endSession: (id: string) => http.call<void>('DELETE', path('sessions', id)),
    closeSession: () => http.call<void>('DELETE', '/sessions/current'),
  }
}
