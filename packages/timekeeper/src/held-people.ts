/**
 * When the rules about people change, whoever waits for one of them is decided anew: quiet hours that end earlier now, or are gone, hold
 * nobody until the former morning. Any number of timekeepers may do it; without one, people wait until the time that was fixed.
 *
 *   the rules are others than in `held-rules` ─► every process uses them by now ─► each shard is called forward ─► `held-rules`
 *
 * A crash before the last step leaves the former rules there, and the next round of any timekeeper does it again.
 */
import { createHash } from 'node:crypto'
import { shardNames } from '@courier-fleet/api-types'
import type { Clock, Log } from '@courier-fleet/process'
import { callShardForward, keys, type LiveSettings, type Settings } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { createRounds, type Rounds } from './rounds.ts'

const roundMs = 1_000
/** Every process has looked for new settings by then. */
const knownByAllMs = 3_000

export interface HeldPeopleDeps {
  readonly redis: Redis
  readonly shards: number
  readonly settings: Pick<LiveSettings, 'current'>
  /** measures durations: one that nobody sets */
  readonly clock: Clock
  readonly log: Log
}

/** Rules as they were seen, by the version of the settings they are of. */
interface Seen {
  readonly version: number
  readonly digest: string
  readonly sinceMs: number
  /** others were seen before: people may have been held by those since */
  readonly isChange: boolean
}

export function createHeldPeople({ redis, shards, settings, clock, log }: HeldPeopleDeps): Rounds {
  let seen: Seen | undefined
  /** nobody is held by any other rules than these */
  let applied: Seen | undefined

  function look(): Seen {
    const current = settings.current()
    const digest = digestOf(current)
    if (digest !== seen?.digest)
      seen = { version: current.version, digest, sinceMs: clock.now(), isChange: seen !== undefined }
    return seen
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const rules = look()
    if (rules === applied) return
    const [version = '-1', digest] = ((await redis.get(keys.heldRules)) ?? '').split(' ')
    const isDone = Number(version) >= rules.version || (digest === rules.digest && !rules.isChange)
    if (!isDone) {
      if (clock.now() - rules.sinceMs < knownByAllMs) return
      let people = 0
      for (const shard of shardNames(shards)) {
        if (stopping.aborted) return
        people += await callShardForward(redis, shard)
      }
      await redis.set(keys.heldRules, `${rules.version} ${rules.digest}`)
      if (people > 0) log.info({ people }, 'the rules have changed: those who waited are decided anew')
    }
    applied = rules
  }

  return createRounds({ round, roundMs, log, failed: 'cannot call forward who waits for rules that have changed' })
}

/** Of what may hold somebody. */
function digestOf({ types, quiet, caps, interval, levels }: Settings): string {
  const ofTypes = types.map((type) => [type.id, type.quiet, type.caps, type.interval, type.duplicates, type.level])
  return createHash('sha256')
    .update(JSON.stringify([ofTypes, quiet, caps, interval, levels]))
    .digest('base64url')
}
