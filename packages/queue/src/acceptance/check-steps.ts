/** Whether the steps of a message can go as it says: its channels must tell what the later ones wait for, and all of them be due in time. */
import {
  durationMs,
  type MessageBody,
  type MessageSteps,
  Problem,
  type ReachedLevel,
  reachedLevels,
} from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { requireKnownChannels } from './known-channels.ts'

/** a message that says nothing of it expires so long after it is due */
const dayMs = 86_400_000

/** Those a message may go by, in one step or in several; undefined: those in use. */
export const channelsIn = ({ channels, steps }: Pick<MessageBody, 'channels' | 'steps'>) =>
  channels ?? steps?.flatMap((step) => step.channels)

/** What may be said of somebody on this channel; that they have confirmed it only where it asks them. */
function tellableOn(channel: string, asks: boolean): ReachedLevel[] {
  const descriptor = findChannel(channel)
  const tells: readonly string[] = descriptor?.abilities.tells ?? []
  return reachedLevels.filter((level) => {
    if (level === 'confirmed') return asks && !descriptor?.isForSystems
    return tells.includes(level) || (level === 'sent' && tells.includes('taken'))
  })
}

/** @throws Problem 422 `unknown-channel` `cannot-tell` */
export function requireTellable({ steps = [], confirm }: Pick<MessageBody, 'steps' | 'confirm'>): void {
  const former: string[] = []
  for (const [at, { channels, unless }] of steps.entries()) {
    requireKnownChannels(channels, (_name, index) => String(index), `steps.${at}.channels`)
    for (const channel of former) if (unless) requireTold(channel, unless, confirm !== undefined, at)
    former.push(...channels)
  }
}

function requireTold(channel: string, unless: ReachedLevel, asks: boolean, at: number): void {
  const tellable = tellableOn(channel, asks)
  if (tellable.includes(unless)) return
  const possible = tellable.length > 0 ? `only ${tellable.join(', ')}` : 'nothing'
  const hint = unless === 'confirmed' && !asks ? '; say `confirm`, and its people are asked to confirm it' : ''
  const detail = `${channel} does not tell who is "${unless}", ${possible}${hint}`
  throw new Problem(422, 'cannot-tell', detail, `steps.${at}.unless`)
}

/** @param expiresMs as expiryOf() gave it. @throws Problem 422 `expires-first` */
export function requireInTime(steps: MessageSteps = [], dueMs: number, expiresMs: number, nowMs: number): void {
  const sumMs = steps.reduce((sum, { after }) => sum + (after ? durationMs(after) : 0), 0)
  const lifeMs = expiresMs === 0 ? dayMs : expiresMs - (dueMs || nowMs)
  if (sumMs < lifeMs) return
  throw new Problem(422, 'expires-first', 'it would expire before its last step is due', 'steps')
}
