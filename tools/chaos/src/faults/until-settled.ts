import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../oracle/api.ts'

/** who waits for what is on its way looks again after half a minute */
export const settleMs = 150_000
const lookMs = 500

/** @returns how many have not settled in that time */
export async function untilSettled(api: Pick<Api, 'history'>, keys: readonly string[]): Promise<number> {
  const giveUpAt = Date.now() + settleMs
  for (let open = keys; ; await sleep(lookMs)) {
    const views = await Promise.all(open.map((key) => api.history(key)))
    open = open.filter((_key, index) => views[index]?.state !== 'settled')
    if (open.length === 0 || Date.now() > giveUpAt) return open.length
  }
}
