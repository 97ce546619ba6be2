/** Whether the steps of a message can go as it says: its channels must tell what the later ones wait for, and all of them be due in time. */
import {
  durationMs,
  type MessageBody,
  type MessageSteps,
  Problem,
  type ReachedLevel,
  reachedLevels,
} from '@courier-fleet/api-types'
import { findChannel, mayTellRead, toldBy } from '@courier-fleet/channels'
import type { Settings } from '@courier-fleet/store'
import { requireKnownChannels } from './known-channels.ts'

/** a message that says nothing of it expires so long after it is due */
const dayMs = 86_400_000

/** Those a message may go by, in one step or in several; undefined: those in use. */
export const channelsIn = ({ channels, steps }: Pick<MessageBody, 'channels' | 'steps'>) =>
  channels ?? steps?.flatMap((step) => step.channels)

/** By what it is decided what a channel may say of somebody. */
interface Telling {
  readonly asks: boolean
  readonly tellRead: readonly string[]
}

/** What may be said of somebody on this channel; that they have confirmed it only where it asks them. */
function tellableOn(channel: string, { asks, tellRead }: Telling): ReachedLevel[] {
  const tells: readonly string[] = toldBy(channel, tellRead) ?? []
  return reachedLevels.filter((level) => {
    if (level === 'confirmed') return asks && !findChannel(channel)?.isForSystems
    return tells.includes(level) || (level === 'sent' && tells.includes('taken'))
  })
}

/** @throws Problem 422 `unknown-channel` `cannot-tell` */
export function requireTellable(
  { steps = [], confirm }: Pick<MessageBody, 'steps' | 'confirm'>,
  { tellRead }: Pick<Settings, 'tellRead'>,
): void {
  const former: string[] = []
  for (const [at, { channels, unless }] of steps.entries()) {
    requireKnownChannels(channels, (_name, index) => String(index), `steps.${at}.channels`)
    const telling = { asks: confirm !== undefined, tellRead }
    for (const channel of former) if (unless) requireTold(channel, unless, telling, at)
    former.push(...channels)
  }
}

function requireTold(channel: string, unless: ReachedLevel, telling: Telling, at: number): void {
  const tellable = tellableOn(channel, telling)
  if (tellable.includes(unless)) return
  const possible = tellable.length > 0 ? `only ${tellable.join(', ')}` : 'nothing'
  const detail = `${channel} does not tell who is "${unless}", ${possible}${hintOf(channel, unless, telling)}`
  throw new Problem(422, 'cannot-tell', detail, `steps.${at}.unless`)
}

function hintOf(channel: string, unless: ReachedLevel, { asks }: Telling): string {
  if (unless === 'confirmed' && !asks) return '; say `confirm`, and its people are asked to confirm it'
  if (unless !== 'read' || !mayTellRead(channel)) return ''
  return `; it can be set up to: then an operator adds ${channel} to the setting \`tellRead\``
}

/** @param expiresMs as expiryOf() gave it. @throws Problem 422 `expires-first` */
export function requireInTime(steps: MessageSteps = [], dueMs: number, expiresMs: number, nowMs: number): void {
  const sumMs = steps.reduce((sum, { after }) => sum + (after ? durationMs(after) : 0), 0)
  const lifeMs = expiresMs === 0 ? dayMs : expiresMs - (dueMs || nowMs)
  if (sumMs < lifeMs) return
  throw new Problem(422, 'expires-first', 'it would expire before its last step is due', 'steps')
}
