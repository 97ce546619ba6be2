/** When the last one has a message, as a range: from how fast its channels are, and until when the rules hold people. */
import type { Finish, ForecastView, Plan } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { durationOf, type Load } from '@courier-fleet/rules'
import type { ChannelPace } from './channel-paces.ts'

interface Expected {
  readonly channel: string
  /** of those who have a contact on it */
  readonly plan: Plan
  /** Unix ms */
  readonly dueMs: number
  readonly paces: ReadonlyMap<string, ChannelPace>
  /** of the text, for each person */
  readonly pieces: number
}

type End = Pick<ForecastView['channels'][string], 'finish' | 'unknown'>

/** On one channel. */
export function endOf({ channel, plan, dueMs, paces, pieces }: Expected): End {
  const pace = paces.get(channel)
  if (plan.later.some(({ cause }) => cause === 'online')) return { unknown: 'online' }
  if (!pace || pace.unknown) return { unknown: pace?.unknown ?? 'no-courier' }
  const asOfMs = Date.parse(plan.asOf)
  const startMs = Math.max(asOfMs + pace.pausedForMs, dueMs)
  const later = plan.later.map(({ at, until = at, people }) => ({
    from: Date.parse(at),
    to: Date.parse(until),
    people,
  }))
  const all = plan.now + later.reduce((sum, { people }) => sum + people, 0)
  const waves = plan.now > 0 || later.length === 0 ? [{ from: startMs, to: startMs, people: plan.now }] : []
  const ends = [...waves, ...later].map(({ from, to, people }) => {
    const eachMs = eachMsOf(channel, pace, pieces)
    const least = durationOf({ people, ahead: 0, eachMs }, pace.ended)
    // who were to be sent it before may still be in the way
    const most = durationOf({ people, ahead: people === 0 ? 0 : all - people + pace.waiting, eachMs }, pace.ended)
    return least && most && { from: from + least.leastMs, to: to + most.mostMs }
  })
  const known = ends.filter((end) => end !== undefined)
  if (known.length < ends.length) return { unknown: 'nothing-known' }
  return { finish: spanOf(Math.max(...known.map(({ from }) => from)), Math.max(...known.map(({ to }) => to))) }
}

/** On all of them; nothing where it is not known of one. */
export function lastOf(ends: readonly End[]): { finish?: Finish } {
  const known = ends.flatMap(({ finish }) => finish ?? [])
  if (known.length < ends.length || known.length === 0) return {}
  const latest = (of: (finish: Finish) => string) => Math.max(...known.map((finish) => Date.parse(of(finish))))
  return {
    finish: spanOf(
      latest(({ from }) => from),
      latest(({ to }) => to),
    ),
  }
}

/** In whole seconds, outwards. */
const spanOf = (fromMs: number, toMs: number): Finish => ({
  from: new Date(Math.floor(fromMs / 1000) * 1000).toISOString(),
  to: new Date(Math.ceil(toMs / 1000) * 1000).toISOString(),
})

function eachMsOf(channel: string, { perSecond }: ChannelPace, pieces: number): Load['eachMs'] {
  if (perSecond === undefined) return undefined
  const eachMs = (1000 / perSecond) * pieces
  // of calls nobody knows how many people each is for
  return findChannel(channel)?.settings.countsCalls ? { least: 0, most: eachMs } : { least: eachMs, most: eachMs }
}
