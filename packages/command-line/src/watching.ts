/** Follows a message until it is done, whatever happens to the connection meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { ApiError } from '@courier-fleet/client'
import { progressBlock, progressLine } from './outcome.ts'
import { createProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** before listening again after having been cut off */
const retryMs = 500
/** so often the time left is told on a terminal */
const tickMs = 1000

export interface Watch {
  readonly client: Client
  readonly key: string
  /** whether there is nothing more to wait for */
  readonly isDone: (history: HistoryView) => boolean
  /** ends the watching before the message is done */
  readonly deadline?: AbortSignal | undefined
  readonly quiet: boolean
  readonly terminal: Terminal
}

/** @throws ApiError when the service refuses; it may be away for as long as the deadline allows */
export async function watchUntilDone({
  client,
  key,
  isDone,
  deadline,
  quiet,
  terminal: { err },
}: Watch): Promise<void> {
  const progress = createProgress(err, quiet)
  let last: HistoryView | undefined
  const show = () => last && progress.show(progressLine(last, Date.now()), progressBlock(last, Date.now()))
  const ticking = err.isTTY ? setInterval(show, tickMs) : undefined

  /** @returns false when it was cut off before the message was done: the queue may have been restarted */
  async function watchOnce(): Promise<boolean> {
    try {
      for await (const history of client.watch(key, deadline)) {
        last = history
        show()
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
    progress.end()
  }
}
