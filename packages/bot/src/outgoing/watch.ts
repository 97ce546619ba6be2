/** Watches one history until nothing more can be told of it. */
import { type HistoryView, isOver, mayBeReported } from '@courier-fleet/api-types'
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

/**
 * @returns the history at its end; the problem's code when the person may not see it any more; undefined when told to stop
 * before
 */
export async function watchToTheEnd(key: string, deps: WatchDeps): Promise<HistoryView | string | undefined> {
  const { client, log, signal } = deps
  while (!signal.aborted) {
    try {
      if (await watchOnce(key, deps)) return await client.history(key)
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) {
        const { code } = error.problem
        log.info({ key, code }, 'a message can be watched no longer')
        return code
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
  let latest: HistoryView | undefined
  try {
    for await (const history of client.watch(key, watching)) {
      latest = history
      onChange(history)
      if (isOver(history)) clearTimeout(expiry)
      if (history.state !== 'running' || expiry) continue
      const leftMs = Date.parse(history.expires ?? '') + afterExpiryMs - clock.now()
      expiry = setTimeout(() => expired.abort(), Math.min(Math.max(leftMs, 0), maxTimerMs))
    }
  } catch (error) {
    if (!watching.aborted) throw error
  } finally {
    clearTimeout(expiry)
  }
  if (expired.signal.aborted) return true
  return latest !== undefined && isOver(latest) && !mayBeReported(latest, clock.now())
}
