/** What changes a message that was accepted, also at theirs who have it; and what that would do. */
import type {
  Cancellation,
  CorrectionInput,
  CorrectionOutcome,
  CorrectionRehearsal,
  RecallRehearsal,
  Withdrawal,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

export function changeCalls(http: Http) {
  const history = (key: string, ...more: string[]) => path('histories', key, ...more)

  return {
    /** Gives it another text, and corrects whoever has an older one: by an edit, else by a message of its own. */
    correct: (key: string, how: CorrectionInput) =>
      http.call<CorrectionOutcome>('POST', history(key, 'corrections'), { body: how }),
    /** What that would do if it were made now; nothing is changed. */
    rehearseCorrection: (key: string, how: CorrectionInput, signal?: AbortSignal) =>
      http.call<CorrectionRehearsal>('POST', history(key, 'corrections'), {
        query: { dryRun: 'true' },
        body: how,
        signal,
      }),
    /** Takes it back, or stops it. @param unstarted once it has started it is left alone: 409 `already-started` */
    cancel: (key: string, { unstarted = false } = {}) =>
      http.call<Cancellation>('DELETE', history(key), { query: { unstarted: unstarted ? 'true' : undefined } }),
    /** Takes it back also from whoever has it, where the channel can. */
    recall: (key: string) => http.call<Withdrawal>('DELETE', history(key), { query: { recall: 'true' } }),
    /** What that would do if it were done now; nothing is changed. */
    rehearseRecall: (key: string, signal?: AbortSignal) =>
      http.call<RecallRehearsal>('DELETE', history(key), { query: { recall: 'true', dryRun: 'true' }, signal }),
  }
}
