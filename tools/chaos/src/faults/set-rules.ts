/** Rules of the fleet, set where an operator's are kept: also while no queue answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '@courier-fleet/store'
import { parseSettings, readVersions, type StoredSettings, writeSettings } from '@courier-fleet/store'
import type { Api } from '../oracle/api.ts'

const retryMs = 200
const lookMs = 500
const patienceMs = 60_000
/** with dozens of processes on few cores the API is slow to answer */
const useMs = 120_000

/** Also where Redis is away meanwhile, or somebody else has set something. */
export async function setRules(redis: Redis, change: (before: StoredSettings) => StoredSettings): Promise<void> {
  const isSet = async () => {
    const [newest] = await readVersions(redis, 1)
    const before = newest ? parseSettings(newest.json) : {}
    const all = { ...before, ...change(before) }
    return (await writeSettings(redis, { expected: newest?.version ?? 0, stored: all, by: 'chaos' })) !== undefined
  }
  let why: unknown
  const tried = () =>
    isSet().catch((error: unknown) => {
      why = error
      return false
    })
  for (const giveUpAt = Date.now() + patienceMs; !(await tried()); await sleep(retryMs))
    if (Date.now() > giveUpAt) throw new Error('the rules cannot be set', { cause: why })
}

/** Processes that were killed count for a quarter of a minute. @returns when every process said that it uses the newest rules; Infinity: not while that was waited for */
export async function whenUsed(api: Pick<Api, 'settingsUse'>): Promise<number> {
  for (const giveUpAt = Date.now() + useMs; Date.now() < giveUpAt; await sleep(lookMs)) {
    const use = await api.settingsUse()
    if (use && use.of > 0 && use.using === use.of) return Date.now()
  }
  return Number.POSITIVE_INFINITY
}
