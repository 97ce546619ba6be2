/**
 * When the rules about people change, whoever waits for one of them is decided anew: quiet hours that end earlier now, or are gone, hold
 * nobody until the former morning. Any number of timekeepers may do it; without one, people wait until the time that was fixed.
 *
 *   the rules are others than those of a shard ─► noted there: who is held by older ones from now on is decided anew in a second
 *                                              ─► everybody who waits in it is called forward ─► noted as applied
 *
 * A process that looks late for new settings, or was frozen, can therefore hold nobody by the former ones. A crash before the last step
 * leaves it to the next round of any timekeeper.
 */
import { createHash } from 'node:crypto'
import { type MessageType, ruleSettings, shardNames } from '@courier-fleet/api-types'
import type { Log } from '@courier-fleet/process'
import {
  callShardForward,
  defineScript,
  flagReply,
  keys,
  type LiveSettings,
  type Redis,
  type Settings,
} from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

const roundMs = 1_000

const applyScript = defineScript('apply-rules', {
  keys: ['heldRules'],
  args: ['version', 'digest', 'applied'],
  reply: flagReply,
})

export interface HeldPeopleDeps {
  readonly redis: Redis
  readonly shards: number
  readonly settings: Pick<LiveSettings, 'current'>
  readonly log: Log
}

/** Rules as they were seen, by the version of the settings they are of. */
interface Seen {
  readonly version: number
  readonly digest: string
  /** others were seen before: people may have been held by those since */
  readonly isChange: boolean
}

export function createHeldPeople({ redis, shards, settings, log }: HeldPeopleDeps): Rounds {
  let seen: Seen | undefined
  /** nobody is held by any other rules than these */
  let applied: Seen | undefined

  function look(): Seen {
    const current = settings.current()
    const digest = digestOf(current)
    if (digest !== seen?.digest) seen = { version: current.version, digest, isChange: seen !== undefined }
    return seen
  }

  /** @returns how many were waiting */
  async function applyTo(shard: string, { version, digest, isChange }: Seen): Promise<number> {
    const heldRules = keys.heldRules(shard)
    const [knownVersion = '-1', knownDigest, isApplied] = ((await redis.get(heldRules)) ?? '').split(' ')
    if (isApplied && Number(knownVersion) >= version) return 0
    if (isApplied && knownDigest === digest && !isChange) return 0
    if (!(await applyScript(redis, { heldRules }, { version, digest, applied: '' }))) return 0
    const people = await callShardForward(redis, shard)
    await applyScript(redis, { heldRules }, { version, digest, applied: 'applied' })
    return people
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const rules = look()
    if (rules === applied) return
    let people = 0
    for (const shard of shardNames(shards)) {
      if (stopping.aborted) return
      people += await applyTo(shard, rules)
    }
    applied = rules
    if (people > 0) log.info({ people }, 'the rules have changed: those who waited are decided anew')
  }

  return createRounds({ round, roundMs, log, failed: 'cannot call forward who waits for rules that have changed' })
}

/** Of what may hold somebody. */
function digestOf(settings: Settings): string {
  const rules = ruleSettings.map((name) => (name === 'types' ? settings.types.map(rulesOfType) : settings[name]))
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url')
}

/** What it is called, and who may send it, holds nobody. */
const rulesOfType = ({ name: _, senders: __, ...rules }: MessageType) => rules
