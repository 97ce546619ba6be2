import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 15_000

/**
 * Resolves once the queue answers `GET /readyz` with 200, or that only a channel is stuck, and each of `names` has announced itself as ready with the pid it
 * has now. Goes on waiting as long as it takes (a real service may be out of reach), and says for whom.
 * @param {{ redis: import('@courier-fleet/store').Redis, apiUrl: string, names: readonly string[], pidOf: (name: string) => number | undefined,
 *   keyOf: (name: string) => string, say: (text: string) => void, signal: AbortSignal }} options
 */
export async function untilReady({ redis, apiUrl, names, pidOf, keyOf, say, signal }) {
  let patientUntil = Date.now() + patienceMs
  while (!signal.aborted) {
    const waiting = await notReady({ redis, apiUrl, names, pidOf, keyOf })
    if (waiting.length === 0) return
    if (Date.now() > patientUntil) {
      say(`Still waiting for ${waiting.join(', ')}`)
      patientUntil = Date.now() + patienceMs
    }
    await sleep(50)
  }
}

async function notReady({ redis, apiUrl, names, pidOf, keyOf }) {
  const ready = await Promise.all(
    names.map(async (name) => {
      const [pid, is] = await redis.hmget(keyOf(name), 'pid', 'ready')
      return is === '1' && Number(pid) === pidOf(name)
    }),
  )
  const waiting = names.filter((_, index) => !ready[index])
  return (await answersReady(apiUrl)) ? waiting : ['the API', ...waiting]
}

async function answersReady(apiUrl) {
  try {
    const response = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(2000) })
    // a channel nobody serves any more is no reason for everyone else to wait
    return response.ok || (await response.json()).code === 'stuck'
  } catch {
    return false
  }
}
