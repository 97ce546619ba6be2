/** What can never be dealt with is not tried again, so that it holds up nothing: the log says which it was and why, and the fleet counts it. */
import { ApiError, type Client } from '@courier-fleet/client'
import type { Log } from '@courier-fleet/process'

/** @param which names it in the log, without what it says */
export type SetAside = (which: { readonly id: string }, error: unknown) => void

export interface SetAsideDeps {
  readonly own: Pick<Client, 'noteSetAside'>
  readonly channel: string
  readonly log: Log
}

export function createSetAside({ own, channel, log }: SetAsideDeps): SetAside {
  return ({ id }, error) => {
    const { code, status, field } = error instanceof ApiError ? error.problem : defect
    // the message of a refusal may repeat what was written
    const why = error instanceof ApiError ? { code, status, field } : { code, err: error }
    log.error({ id, ...why }, 'what somebody wrote cannot be dealt with: it is set aside and not tried again')
    own.noteSetAside({ channel, reason: code }).catch((notCounted: unknown) => {
      log.info({ id, err: notCounted }, 'what was set aside could not be counted')
    })
  }
}

/** something of our own failed, and not a call */
const defect: { readonly code: string; readonly status?: number; readonly field?: string } = { code: 'defect' }
