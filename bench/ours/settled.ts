import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryView } from '@courier-fleet/core'
import type { Api } from './api.ts'

/** Looks until the message has settled. @throws Error with what is known when it has not in time */
export async function untilSettled(api: Api, key: string, patienceMs = 300_000, everyMs = 50): Promise<HistoryView> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const history = await api.history(key)
    if (history.state === 'settled') return history
    if (performance.now() > giveUpAt)
      throw new Error(`not settled in ${patienceMs} ms: ${JSON.stringify(history.channels)}`)
    await sleep(everyMs)
  }
}
