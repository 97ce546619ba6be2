/** Watches one history until there is nothing more to wait for. */
import { type HistoryView, isOver, type TrackerReport } from '@courier-fleet/api-types'
import { ApiError, type Client } from '@courier-fleet/client'
import { type Clock, type Log, sleep } from '@courier-fleet/process'

const retryMs = 1000
/** after its expiry a channel that never answered is named, and waited for no longer */
const afterExpiryMs = 60_000
const maxTimerMs = 2 ** 31 - 1

export interface WatchDeps {
  readonly client: Client
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly onChange: (history: HistoryView) => void
}

/** @returns `not-theirs` when the person may not see it any more; undefined when told to stop before it was over */
export async function watchUntilOver(key: string, deps: WatchDeps): Promise<TrackerReport | 'not-theirs' | undefined> {
  const { client, log, signal } = deps
  while (!signal.aborted) {
    try {
      if (await watchOnce(key, deps)) return await client.track(key, 0)
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) {
        log.info({ key, code: error.problem.code }, 'a message can be watched no longer')
        return 'not-theirs'
      }
      log.debug({ key, reason: (error as Error).message }, 'cut off from a message; watching it again')
    }
    await sleep(retryMs, signal)
  }
  return undefined
}

/** @returns whether there is nothing more to wait for; false when the API ended the stream */
async function watchOnce(key: string, { client, clock, signal, onChange }: WatchDeps): Promise<boolean> {
  const expired = new AbortController()
  const watching = AbortSignal.any([signal, expired.signal])
  let expiry: NodeJS.Timeout | undefined
  try {
    for await (const history of client.watch(key, watching)) {
      onChange(history)
      if (isOver(history)) return true
      if (history.state !== 'running' || expiry) continue
      const leftMs = Date.parse(history.expires ?? '') + afterExpiryMs - clock.now()
      expiry = setTimeout(() => expired.abort(), Math.min(Math.max(leftMs, 0), maxTimerMs))
    }
  } catch (error) {
    if (!watching.aborted) throw error
  } finally {
    clearTimeout(expiry)
  }
  return expired.signal.aborted
}
