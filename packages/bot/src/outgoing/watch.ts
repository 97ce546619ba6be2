/** Watches one history until nothing more can be told of it. */
import { type HistoryView, isOver, mayBeReported } from '@courier-fleet/api-types'
import { ApiError, type Client, isRefusal } from '@courier-fleet/client'
import { type Clock, type Log, sleep } from '@courier-fleet/process'

const retryMs = 1000
/** after its expiry a channel that never answered is named, and waited for no longer */
const afterExpiryMs = 60_000
/** most reports come soon after the end; later ones are looked for now and then, for a stream that stays open is one of few */
const soonMs = 600_000
const laterEveryMs = 300_000
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
    let waitMs = retryMs
    try {
      const latest = await watchOnce(key, deps)
      if (latest === 'expired') return await client.history(key)
      if (latest && isEnd(latest, deps)) return latest
      if (latest && isLate(latest, deps)) waitMs = laterEveryMs
    } catch (error) {
      if (isRefusal(error)) {
        const { code } = error.problem
        log.info({ key, code }, 'a message can be watched no longer')
        return code
      }
      if (error instanceof ApiError) waitMs = (error.retryAfter ?? 1) * 1000
      log.debug({ key, reason: (error as Error).message }, 'cut off from a message; watching it again')
    }
    await sleep(waitMs, signal)
  }
  return undefined
}

const isEnd = (history: HistoryView, { clock }: WatchDeps) => isOver(history) && !mayBeReported(history, clock.now())
const isLate = ({ settledAt }: HistoryView, { clock }: WatchDeps) =>
  settledAt !== undefined && clock.now() - Date.parse(settledAt) > soonMs

/** @returns the latest that was seen when the stream ended, or `expired` when a channel has never answered */
async function watchOnce(key: string, deps: WatchDeps): Promise<HistoryView | 'expired' | undefined> {
  const { client, clock, signal, onChange } = deps
  const expired = new AbortController()
  const late = new AbortController()
  const watching = AbortSignal.any([signal, expired.signal, late.signal])
  let timer: NodeJS.Timeout | undefined
  const endAfter = (ms: number, end: AbortController) => {
    clearTimeout(timer)
    timer = setTimeout(() => end.abort(), Math.min(Math.max(ms, 0), maxTimerMs))
  }
  let latest: HistoryView | undefined
  try {
    for await (const history of client.watch(key, watching)) {
      onChange(history)
      if (isOver(history)) endAfter(Date.parse(history.settledAt ?? '') + soonMs - clock.now(), late)
      else if (history.state === 'running' && latest?.state !== 'running')
        endAfter(Date.parse(history.expires ?? '') + afterExpiryMs - clock.now(), expired)
      latest = history
    }
  } catch (error) {
    if (!watching.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
  return expired.signal.aborted ? 'expired' : latest
}
