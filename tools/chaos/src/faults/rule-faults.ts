/** Rules about people that change while messages are under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from './fault.ts'
import { setRules } from './set-rules.ts'

const hourMs = 3_600_000
/** where the people of the suite live */
const zone = 'Europe/Moscow'

const clockAt = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })

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
      await setRules(redis.admin, () => ({ quiet, quietJitterSeconds: 0 }))
      await sleep(lastMs)
      await setRules(redis.admin, () => ({ quiet: null }))
    },
  }
}
