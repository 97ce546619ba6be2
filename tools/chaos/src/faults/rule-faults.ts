/** Rules about people that change while messages are under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '@courier-fleet/store'
import { parseSettings, readVersions, type StoredSettings, writeSettings } from '@courier-fleet/store'
import type { Draw } from './fault.ts'

const hourMs = 3_600_000
const retryMs = 200
const patienceMs = 60_000
/** where the people of the suite live */
const zone = 'Europe/Moscow'

const clockAt = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })

/** Also where Redis is away meanwhile, or somebody else has set something. */
async function set(redis: Redis, stored: StoredSettings): Promise<void> {
  const isSet = async () => {
    const [newest] = await readVersions(redis, 1)
    const before = newest ? parseSettings(newest.json) : {}
    const all = { ...before, ...stored }
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

/** Quiet hours begin for everybody at once, so that whoever is not marked waits in waves, and are gone again. */
export const quietHours: Draw = (random, at) => {
  const lastMs = random.between(500, 4000)
  return {
    name: 'quiet-hours',
    what: `quiet hours for ${(lastMs / 1000).toFixed(1)} s`,
    at,
    async happen({ fleet: { redis } }) {
      const now = Date.now()
      const quiet = { from: clockAt(now - hourMs), to: clockAt(now + 2 * hourMs) }
      await set(redis.admin, { quiet, quietJitterSeconds: 0 })
      await sleep(lastMs)
      await set(redis.admin, { quiet: null })
    },
  }
}
