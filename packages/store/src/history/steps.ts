/** Steps of a message as its history keeps them, which lua/lib/steps.lua reads: whom each is for, and what has become of it. */
import {
  type Ceiling,
  durationMs,
  durationOf,
  type MessageSteps,
  type ReachedLevel,
  type StepCost,
  type StepView,
} from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Snapshot } from './snapshot.ts'
import { wavesIn } from './waiting.ts'

/** What a receipt says that tells this, or more; nothing that can be taken back. */
const states: Readonly<Record<ReachedLevel, string>> = { sent: 'sdrc', delivered: 'drc', read: 'rc', confirmed: 'c' }

/** One step as it is kept: `unless` has of each leg the states that make the step needless. */
export interface KeptStep {
  readonly channels: readonly string[]
  readonly afterMs: number
  readonly unless: ReadonlyMap<string, string>
}

/** A provider that takes a message and tells more later may tell that it came to nothing: only then `sent` is not the end of it. */
const mayStillFail = (channel: string): boolean =>
  findChannel(channel)?.abilities.tells.some((what) => what === 'delivered' || what === 'bounced') ?? true

const conditionOf = (legs: readonly string[], statesOf: (leg: string) => string): string =>
  legs.flatMap((leg) => (statesOf(leg) ? [`${leg}=${statesOf(leg)}`] : [])).join(',') || '-'

/** `<legs> <after, ms> <condition> <what of it nothing can take back>;` of each, in their order. */
export function packSteps(steps: MessageSteps): string {
  const former: string[] = []
  return steps
    .map(({ channels, after, unless }) => {
      const told = unless && former.length > 0 ? states[unless] : ''
      const condition = conditionOf(former, () => told)
      const certain = conditionOf(former, (leg) => (mayStillFail(leg) ? told.replace('s', '') : told))
      former.push(...channels)
      return `${channels.join(',')} ${after ? durationMs(after) : 0} ${condition} ${certain};`
    })
    .join('')
}

export function keptSteps(packed: string): KeptStep[] {
  return [...packed.matchAll(/(\S+) (\d+) (\S+) (\S+);/g)].map(([, legs = '', afterMs, condition = '']) => ({
    channels: legs.split(','),
    afterMs: Number(afterMs),
    unless: new Map([...condition.matchAll(/([^=,]+)=([a-z]+)/g)].map(([, leg = '', bytes = '']) => [leg, bytes])),
  }))
}

const levelOf = ({ unless }: KeptStep): ReachedLevel | undefined =>
  (Object.keys(states) as ReachedLevel[]).find((level) => states[level] === [...unless.values()][0])

/** People of one step, as their receipts say. */
export type StepCounts = Pick<StepView, 'waiting' | 'sent' | 'spared' | 'reached'>

/** As record.lua keeps it by leg, in the unit of the ceiling, else in parts. */
function costOf(hash: Snapshot['hash'], { channels }: KeptStep, ceiling: Ceiling | undefined): StepCost | undefined {
  const spent = channels.reduce((sum, leg) => sum + Number(hash[`${leg}:spent`] ?? 0), 0)
  if (spent === 0) return undefined
  return ceiling && 'currency' in ceiling ? { millionths: spent, currency: ceiling.currency } : { parts: spent }
}

interface Told {
  /** of each step; before the start everybody waits for the first */
  readonly counts: readonly StepCounts[] | undefined
  readonly ceiling: Ceiling | undefined
}

export function tellSteps(hash: Snapshot['hash'], { counts, ceiling }: Told): StepView[] | undefined {
  if (!hash.steps) return undefined
  const waves = wavesIn(hash).filter(({ cause }) => cause === 'step')
  return keptSteps(hash.steps).map((step, index) => {
    const level = levelOf(step)
    const cost = costOf(hash, step, ceiling)
    const dueMs = Math.min(...waves.filter(({ leg }) => step.channels.includes(leg)).map((wave) => wave.dueMs))
    return {
      channels: [...step.channels],
      ...(level ? { after: durationOf(step.afterMs), unless: level } : {}),
      ...(Number.isFinite(dueMs) ? { at: new Date(dueMs).toISOString() } : {}),
      ...(counts?.[index] ?? { waiting: hash.state === 'scheduled' ? Number(hash.size) : 0, sent: 0, spared: 0 }),
      ...(cost ? { cost } : {}),
    }
  })
}
