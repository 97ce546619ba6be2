/** What a process reads and writes while it starts: it waits for a fail-over, also for one that begins after Redis was reached. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, steadyClock } from '@courier-fleet/process'
import type { Redis } from './client.ts'
import { placeOfRedis } from './connect.ts'
import { patienceMs, reachRedis } from './reach.ts'

/** what ioredis says when there is no connection; it has no codes for these */
const disconnected =
  /^(Command timed out|Connection is closed|Cluster isn't ready|None of startup nodes|Stream isn't writeable|Reached the max retries per request|Socket timeout|connect )/

/** Nobody has answered: whether it was done is not known. */
export function isDisconnected(error: Error): boolean {
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'AbortError') return true
  return disconnected.test(error.message) || (error as NodeJS.ErrnoException).syscall === 'connect'
}

/** what Redis says while another takes over, its replicas turn to that one, or slots are on their way */
const passes = /^(CLUSTERDOWN|LOADING|MASTERDOWN|NOREPLICAS|TRYAGAIN) /
const againMs = 250

/**
 * Does a step of a start, again and again while it fails because Redis does not serve now, and says so once.
 * @param step safe to repeat, and leaves nothing behind where it fails
 * @throws Error in one line that says where, and why not, when that takes too long; whatever else the step throws, at once
 */
export async function whenServed<T>(redis: Redis, log: Pick<Log, 'warn'>, step: () => Promise<T>): Promise<T> {
  let since: number | undefined
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof Error && (isDisconnected(error) || passes.test(error.message)))) throw error
      const why = error.message
      if (since === undefined)
        log.warn({ why }, `${placeOfRedis(redis)} does not serve while this process starts; trying again`)
      since ??= steadyClock.now()
      if (steadyClock.now() - since > patienceMs)
        throw new Error(`${placeOfRedis(redis)} does not serve after ${patienceMs / 1000} s: ${why}`)
    }
    await reachRedis(log, redis)
    await sleep(againMs)
  }
}
