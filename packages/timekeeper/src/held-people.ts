/**
 * When the rules about people change, whoever waits for one of them is decided anew: quiet hours that end earlier now, or are gone, hold
 * nobody until the former morning. Any number of timekeepers may do it; without one, people wait until the time that was fixed.
 *
 *   the rules are others than those of a shard, or were in between
 *     ─► noted there: who is held by older ones from now on is decided anew in a second
 *     ─► everybody who waits in it is called forward ─► noted as applied
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
  keptVersions,
  keys,
  type LiveSettings,
  parseSettings,
  type Redis,
  readVersions,
  type Settings,
  type StoredSettings,
  settingsOf,
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
  readonly settings: Pick<LiveSettings, 'current' | 'first'>
  readonly log: Log
}

/** The rules about people of one version of the settings. */
interface Rules {
  readonly version: number
  readonly digest: string
}

export function createHeldPeople({ redis, shards, settings, log }: HeldPeopleDeps): Rounds {
  /** nobody is held by any other rules than these */
  let applied: Rules | undefined

  /** Of each version that is kept and can be used, for a process may have held somebody by any of them. */
  async function readKept(): Promise<Rules[]> {
    const versions = await readVersions(redis, keptVersions)
    return versions.flatMap(({ version, json }) => {
      const found = settingsIn(settings.first, json, version)
      return found ? [{ version, digest: digestOf(found) }] : []
    })
  }

  /** @returns how many were waiting */
  async function applyTo(shard: string, rules: Rules, kept: readonly Rules[]): Promise<number> {
    const heldRules = keys.heldRules(shard)
    const known = knownIn(await redis.get(heldRules))
    if (known.isApplied && (known.version > rules.version || isUnchanged(known, rules, kept))) return 0
    if (!(await applyScript(redis, { heldRules }, { ...rules, applied: '' }))) return 0
    const people = await callShardForward(redis, shard)
    await applyScript(redis, { heldRules }, { ...rules, applied: 'applied' })
    return people
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const current = settings.current()
    const rules = { version: current.version, digest: digestOf(current) }
    if (rules.version === applied?.version && rules.digest === applied.digest) return
    const kept = await readKept()
    let people = 0
    for (const shard of shardNames(shards)) {
      if (stopping.aborted) return
      people += await applyTo(shard, rules, kept)
    }
    applied = rules
    if (people > 0) log.info({ people }, 'the rules have changed: those who waited are decided anew')
  }

  return createRounds({ round, roundMs, log, failed: 'cannot call forward who waits for rules that have changed' })
}

/** What a shard holds of them. */
function knownIn(text: string | null): Rules & { readonly isApplied: boolean } {
  const [version = '-1', digest = '', applied] = (text ?? '').split(' ')
  return { version: Number(version), digest, isApplied: applied !== undefined }
}

/**
 * Rules that are changed and changed back hold people in between: so no version after the known one may have had others, and none may be
 * missing.
 */
function isUnchanged(known: Rules, { version, digest }: Rules, kept: readonly Rules[]): boolean {
  const since = kept.filter((each) => each.version > known.version && each.version <= version)
  const isWhole = since.length === version - known.version
  return isWhole && [digest, ...since.map((each) => each.digest)].every((each) => each === known.digest)
}

/** undefined: somebody has written what is no settings, and no process uses it */
function settingsIn(first: StoredSettings, json: string, version: number): Settings | undefined {
  try {
    return settingsOf(first, parseSettings(json), version)
  } catch {
    return undefined
  }
}

/** Of what may hold somebody. */
function digestOf(settings: Settings): string {
  const rules = ruleSettings.map((name) => (name === 'types' ? settings.types.map(rulesOfType) : settings[name]))
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url')
}

/** What it is called, and who may send it, holds nobody. */
const rulesOfType = ({ name: _, senders: __, steps: ___, ...rules }: MessageType) => rules
