/** Which quiet hours hold for the people of one message, and until when one of them is held by these. */
import {
  type FleetSettings,
  isTimeZone,
  type MessageClass,
  type OwnQuietHours,
  type quietRespects,
  serviceType,
} from '@courier-fleet/api-types'
import { type Quiet, type QuietSpan, quietAt } from './quiet-hours.ts'

export interface QuietPolicy {
  /** absent: none are set, or the message goes out in them */
  readonly fleet?: QuietSpan | undefined
  /** a person's own hours hold, in the place of the fleet's */
  readonly own: boolean
  /** who was held is sent to within so many minutes afterwards, not all at once */
  readonly jitterMinutes: number
}

export interface QuietMessage {
  readonly class: MessageClass
  readonly type?: string | undefined
  readonly quiet?: (typeof quietRespects)[number] | undefined
}

type Settings = Pick<FleetSettings, 'quiet' | 'quietJitterSeconds' | 'types'>

/** What is urgent waits for nobody's morning, nor do the fleet's own words: answers, codes and alarms. */
export function quietPolicyOf({ class: cls, type, quiet }: QuietMessage, settings: Settings): QuietPolicy {
  const jitterMinutes = Math.floor(settings.quietJitterSeconds / 60)
  if (cls === 'urgent' || type === serviceType) return { own: false, jitterMinutes }
  const fleet = heedsQuiet({ class: cls, type, quiet }, settings) && settings.quiet ? { fleet: settings.quiet } : {}
  return { ...fleet, own: true, jitterMinutes }
}

/** Whether it waits for what the fleet keeps people undisturbed by, whoever they are. */
export function heedsQuiet({ class: cls, type, quiet }: QuietMessage, { types }: Pick<Settings, 'types'>): boolean {
  if (cls === 'urgent' || type === serviceType) return false
  return (quiet ?? types.find(({ id }) => id === type)?.quiet ?? 'respect') === 'respect'
}

/** Of one person. Undefined: at no hour is it quiet for them. */
export function quietSpanOf({ fleet, own }: QuietPolicy, wished?: OwnQuietHours): QuietSpan | undefined {
  if (!own || wished === undefined) return fleet
  return wished === 'never' ? undefined : wished
}

/** Until when somebody is held whose hours are quiet now. */
export interface QuietFact {
  /** the end of their quiet hours */
  readonly untilMs: number
  /** so much later they are sent to, where the message has not expired by then */
  readonly jitterMs: number
}

export interface QuietClock {
  /** @param zone where the person is; the fleet's holds for one that is unknown. */
  at(nowMs: number, span: QuietSpan, zone: string | undefined): Quiet
  /** The zone by which somebody's hours are counted: the fleet's, where this machine does not know theirs. */
  zoneOf(zone: string | undefined): string
}

/** For one send job: the hours of a zone are computed once, and again only when they have ended. */
export function createQuietClock(fleetZone: string): QuietClock {
  const known = new Map<string, Quiet & { readonly sinceMs: number }>()
  const zoneOf = (zone: string | undefined) => (zone !== undefined && isTimeZone(zone) ? zone : fleetZone)

  return {
    zoneOf,
    at(nowMs, span, zone) {
      const counted = zoneOf(zone)
      const key = `${counted} ${span.from} ${span.to} ${span.days?.join() ?? ''}`
      const before = known.get(key)
      if (before && nowMs >= before.sinceMs && nowMs < before.untilMs) return before
      const quiet = { ...quietAt(nowMs, span, counted), sinceMs: nowMs }
      known.set(key, quiet)
      return quiet
    },
  }
}

/** The most it comes to for any message: as decide(), none where the message would have expired by then. */
export function maxQuietJitterMs(untilMs: number, jitterMinutes: number, expiresMs: number): number {
  const left = Math.ceil((expiresMs - untilMs) / 60_000) - 1
  return Math.max(0, Math.min(jitterMinutes, left)) * 60_000
}

/** The same for everybody of a message in a zone, whoever computes it and how often. @returns whole minutes, as ms */
export function quietJitterMs(message: string, zone: string, jitterMinutes: number): number {
  const text = `${message} ${zone}`
  // FNV-1a; both are ASCII
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return (hash % (jitterMinutes + 1)) * 60_000
}
