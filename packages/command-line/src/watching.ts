/** Follows a message until it is done, whatever happens to the connection meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelView, createTimeLeft, type HistoryView, standstillsOf } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { ApiError } from '@courier-fleet/client'
import { progressBlock, progressLine } from './outcome.ts'
import { createProgress } from './progress.ts'
import type { Look } from './style.ts'
import type { Terminal } from './terminal.ts'

/** before listening again after having been cut off */
const retryMs = 500
/** so often the time left is told on a terminal */
const tickMs = 1000
/** so often it is asked whether anybody is sending */
const channelsEveryMs = 5000

export interface Watch {
  readonly client: Client
  readonly key: string
  /** whether there is nothing more to wait for */
  readonly isDone: (history: HistoryView) => boolean
  /** ends the watching before the message is done */
  readonly deadline?: AbortSignal | undefined
  readonly quiet: boolean
  readonly terminal: Terminal
  readonly look: Pick<Look, 'moment'>
}

/** @throws ApiError when the service refuses; it may be away for as long as the deadline allows */
export async function watchUntilDone({
  client,
  key,
  isDone,
  deadline,
  quiet,
  terminal: { err },
  look,
}: Watch): Promise<void> {
  const progress = createProgress(err, quiet)
  const timeLeft = createTimeLeft()
  let last: HistoryView | undefined
  let channels: readonly ChannelView[] = []
  function show(): void {
    if (!last) return
    const now = { ms: Date.now(), standstills: standstillsOf(last, channels), leftMs: timeLeft.left(), look }
    progress.show(progressLine(last, now), progressBlock(last, now))
  }
  async function lookWhoSends(): Promise<void> {
    if (last?.state !== 'running') return
    // who may not ask, or cannot now, is told how far it is all the same
    channels = await client.channels().then(
      (list) => list.channels,
      () => [],
    )
    show()
  }
  const ticking = err.isTTY ? setInterval(show, tickMs) : undefined
  const looking = quiet ? undefined : setInterval(lookWhoSends, channelsEveryMs)

  /** @returns false when it was cut off before the message was done: the queue may have been restarted */
  async function watchOnce(): Promise<boolean> {
    try {
      for await (const history of client.watch(key, deadline)) {
        const isFirst = last === undefined
        last = history
        timeLeft.seen(history)
        show()
        if (isFirst && !quiet) void lookWhoSends()
        if (isDone(history)) return true
      }
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) throw error
    }
    return false
  }

  try {
    while (!deadline?.aborted && !(await watchOnce())) {
      await sleep(retryMs, undefined, deadline ? { signal: deadline } : {}).catch(() => {})
    }
  } finally {
    clearInterval(ticking)
    clearInterval(looking)
    last = undefined
    progress.end()
  }
}
