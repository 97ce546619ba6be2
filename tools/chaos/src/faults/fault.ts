/** What can go wrong, drawn from a seed when a round is planned. */
import type { Fleet, Process } from '../fleet.ts'
import type { Random } from '../random.ts'

export interface FaultDeps {
  readonly fleet: Fleet
  readonly leaseMs: number
  /** told of ends that were not as a good stop should be */
  readonly onBadStop: (what: string) => void
  /** told of more than a rule that counts, or a budget, allows, and of less where nobody knows why */
  readonly onRuleBroken: (what: string) => void
  /** told of shards that do not grow, or by which nothing is laid */
  readonly onNotGrown: (what: string) => void
  /** told of each numbered point that a process was killed at, and not elsewhere because it did not come by */
  readonly onKilledAt: (point: number) => void
}

/** A fault as planned: everything about it is decided. */
export interface Planned {
  readonly name: FaultName
  /** a few words for the log of the run */
  readonly what: string
  /** ms from the start of the round */
  readonly at: number
  /** Resolves when it is over, and whatever it broke can mend from then on. Never throws for what it finds already broken. */
  readonly happen: (deps: FaultDeps) => Promise<void>
  /**
   * How often it may leave one process without knowing what became of the SMS it has under way, a window of them at most.
   * Absent: never, what was under way is known or finds out.
   */
  readonly smsDoubts?: (targets: readonly Process[]) => number
  /** For a fault that lasts until everything of the round has settled: ends it. */
  readonly undo?: (deps: FaultDeps) => Promise<void>
}

export const faultNames = [
  'kill',
  'freeze',
  'redis-kill',
  'redis-away',
  'reply-lost',
  'events-off',
  'subscriber-cut',
  'provider-hang',
  'provider-disconnect',
  'provider-throttle',
  'provider-slow',
  'receipt-chaos',
  'clock-step',
  'rolling-restart',
  'upgrade',
  'quiet-hours',
  'caps',
  'budgets',
] as const
/** where Redis has replicas */
export const replicationFaultNames = [
  'master-kill',
  'master-freeze',
  'start-in-fail-over',
  'fail-over',
  'no-replica',
  'partition',
  'without-events',
] as const
/** where there are slots */
export const clusterFaultNames = ['reshard', 'growth'] as const
export type FaultName = (typeof faultNames | typeof replicationFaultNames | typeof clusterFaultNames)[number]

/** Draws one of its kind. `at` is when in the round it begins. */
export type Draw = (random: Random, at: number) => Planned

const maxTargets = 1000

/** for `target` */
export const drawTarget = (random: Random) => random.between(0, maxTargets)

/** the process a fault means: counted among those of a role, so that the plan needs no names */
export function target(targets: readonly Process[], ofRole: Process['role'] | undefined, number: number): Process {
  const candidates = targets.filter(({ role }) => ofRole === undefined || role === ofRole)
  return candidates[number % candidates.length] as Process
}

export const smsAmong = (...processes: readonly Process[]): number =>
  processes.filter(({ channel }) => channel === 'sms').length
