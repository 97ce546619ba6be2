/**
 * Watches the fleet, and tells operators when something is wrong, once an hour and alarm at most, and when it is well again. Of
 * several timekeepers the one that holds the lease does it; what is told is decided in Redis, so that two that watch at once, after
 * a lease that ran out, tell nothing twice.
 *
 * An alarm: (none) → raised → told, unless it was within the hour → (none), told when the beginning was. What a crash leaves, or a telling that failed:
 *
 *   raised, not told, or not everybody   the next round, of whichever timekeeper watches, tells; whom it was told has it once
 *   told, and that not noted             the same, which sends nothing, and notes it; where it is over by then, nobody is told that
 *   over, that not told                  operators who were told of it, and not that it is over
 */
import { createThrottledLog, type Log } from '@courier-fleet/process'
import {
  type Alarm,
  beginAlarm,
  endAlarm,
  type Histories,
  keys,
  mayTellAlarm,
  noteHappened,
  type ProcessInfo,
  readAlarms,
  readProcesses,
  writeAlarm,
} from '@courier-fleet/store'
import { createRounds, type Rounds } from '../rounds.ts'
import { findTroubles, type TroubleDeps } from './find-troubles.ts'
import { createRecounts } from './recounts.ts'
import { createTellOperators, type TellOperators } from './tell-operators.ts'
import { alarmText, overText, type Trouble, type TroubleKind } from './texts.ts'
import { createWhatIsOver } from './what-is-over.ts'

const defaultRoundMs = 10_000
/** as many rounds as a watcher may miss before another timekeeper watches */
const leaseRounds = 3
/** A courier that is started again, or a fail-over, takes some seconds: who is wrong for so many rounds on end is told of. */
const aWhile = 3
/** Every process is started anew for a growth, one after the other, by somebody who sees which are left: told once it has stalled, after a quarter of an hour. */
const rollOut = 90
const patience: Partial<Record<TroubleKind, number>> = {
  dead: aWhile,
  late: aWhile,
  'no-replica': aWhile,
  moving: aWhile,
  behind: aWhile,
  growing: rollOut,
}

export interface WatcherDeps extends TroubleDeps {
  /** of the process, unique */
  readonly name: string
  readonly histories: Pick<Histories, 'recount' | 'state' | 'place' | 'put'>
  readonly languagesOf: (people: readonly string[]) => Promise<readonly (string | undefined)[]>
  readonly log: Log
  readonly roundMs?: number
  /** a watcher that was not heard of for so long is one no more */
  readonly leaseMs?: number
}

const nameOf = ({ kind, of }: Trouble) => (of === '' ? kind : `${kind}:${of}`)
const partsOf = (name: string) => {
  const [kind, ...of] = name.split(':')
  return [kind as TroubleKind, of.join(':')] as const
}

/** One that cannot be told keeps no other from being raised. Answers whether it was told. */
function createTellBeginning(tellOperators: TellOperators, log: Log) {
  const notTold = createThrottledLog((fields, text) => log.warn(fields, text))
  return async ({ name: alarm, since }: Alarm, { kind, of }: Trouble): Promise<boolean> => {
    try {
      await tellOperators(`${alarm} ${since}`, (language) => alarmText(language, kind, of))
      return true
    } catch (error) {
      notTold({ alarm, err: error }, 'operators cannot be told of an alarm; trying again')
      return false
    }
  }
}

export function createWatcher(deps: WatcherDeps): Rounds {
  const { redis, name, log, roundMs = defaultRoundMs, leaseMs = leaseRounds * roundMs } = deps
  const recounts = createRecounts(deps)
  const tellOperators = createTellOperators(deps)
  const tellBeginning = createTellBeginning(tellOperators, log)
  const whatIsOver = createWhatIsOver(redis, 2 * leaseMs)
  /** by alarm, for how many rounds on end */
  let seen = new Map<string, number>()

  async function holdsLease(): Promise<boolean> {
    if ((await redis.set(keys.watcher, name, 'PX', leaseMs, 'NX')) === 'OK') return true
    if ((await redis.get(keys.watcher)) !== name) return false
    await redis.pexpire(keys.watcher, leaseMs)
    return true
  }

  /** Alarms are looked for even where Redis is too full to keep what is over. */
  const notNoted = (error: unknown) => log.warn({ err: error }, 'cannot note what is over')

  /** Logged even where Redis is too full to keep it. */
  async function raise(trouble: Trouble, before: Alarm | undefined, isNew: boolean): Promise<void> {
    const alarm = nameOf(trouble)
    const { detail } = trouble
    if (isNew) log.error({ alarm, detail }, 'alarm')
    const standing: Alarm = { name: alarm, since: before?.since ?? Date.now(), detail, isTold: before?.isTold ?? false }
    if (before) await writeAlarm(redis, standing)
    else if (!(await beginAlarm(redis, standing))) return
    if (standing.isTold || !(await mayTellAlarm(redis, standing))) return
    if (await tellBeginning(standing, trouble)) await writeAlarm(redis, { ...standing, isTold: true })
  }

  async function end({ name: alarm, since, isTold }: Alarm): Promise<void> {
    if (!(await endAlarm(redis, alarm))) return
    log.info({ alarm, heldMs: Date.now() - since }, 'all well again')
    await noteHappened(redis, { what: 'alarm-over', of: alarm, since }).catch(notNoted)
    const [kind, of] = partsOf(alarm)
    if (isTold) await tellOperators(`over ${alarm} ${since}`, (language) => overText(language, kind, of))
  }

  async function troublesNow(processes: readonly ProcessInfo[], stopping: AbortSignal): Promise<Map<string, Trouble>> {
    const unbalanced = await recounts.step(stopping)
    const imbalances = unbalanced.map(
      (key): Trouble => ({ kind: 'imbalance', of: key, detail: `the ledger of ${key} does not match its receipts` }),
    )
    const found = [...(await findTroubles(deps, processes)), ...imbalances]
    return new Map(found.map((trouble) => [nameOf(trouble), trouble]))
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const isWatching = await holdsLease().catch((error: unknown) => {
      whatIsOver.redisIsAway()
      throw error
    })
    const processes = await readProcesses(redis)
    await whatIsOver.compare(processes, isWatching).catch(notNoted)
    if (!isWatching) return
    const [troubles, alarms] = await Promise.all([troublesNow(processes, stopping), readAlarms(redis)])
    const known = new Map(alarms.map((alarm) => [alarm.name, alarm]))
    seen = new Map([...troubles.keys()].map((alarm) => [alarm, (seen.get(alarm) ?? 0) + 1]))
    for (const [alarm, trouble] of troubles) {
      const rounds = patience[trouble.kind] ?? 1
      const times = seen.get(alarm) as number
      const before = known.get(alarm)
      if (before || times >= rounds) await raise(trouble, before, !before && times === rounds)
    }
    for (const alarm of alarms) if (!troubles.has(alarm.name)) await end(alarm)
  }

  return createRounds({ round, roundMs, log, failed: 'cannot watch the fleet' })
}
