/**
 * What becomes of a message for one person when nothing else happens meanwhile: decided as couriers decide, at the time it is due and at
 * every time until which it is held. Pure; whoever asks has read what is known of the person.
 */
import type { CalendarDay } from './calendar-day.ts'
import type { CountRule } from './count-rules.ts'
import { type Counted, decisionOn, judgeCounts } from './judge-counts.ts'
import { type Foreseen, type Outlook, outlookOf } from './plan.ts'

export interface ForeseenMessage {
  readonly dueMs: number
  readonly expiresMs: number
  /** hexadecimal digits, as entries of a diary have it */
  readonly textHash: string
  /** that count it; none where it is not counted */
  readonly rules: readonly CountRule[]
  /** it goes out to people when they are online */
  readonly online?: boolean | undefined
}

export interface ForeseenPerson {
  /** on each of their channels, at this moment, before anything is counted */
  readonly decideAt: (atMs: number) => readonly Foreseen[]
  /** what they were sent, the newest first */
  readonly diary: readonly Counted[]
  readonly dayAt: (atMs: number) => CalendarDay
}

/** one rule after the other may hold somebody; nobody is held in circles for longer than this */
const maxHolds = 8

/** Whoever waits until they are online does so from then on; what they will have been sent by that time nobody can foresee. */
export function foresee(message: ForeseenMessage, person: ForeseenPerson): Outlook {
  if (!message.online) return foreseeByRules(message, person)
  const outlook = foreseeByRules({ ...message, rules: [] }, person)
  if (outlook.kind === 'never') return outlook
  return { kind: 'later', atMs: outlook.kind === 'later' ? outlook.atMs : message.dueMs, cause: 'online' }
}

function foreseeByRules(message: ForeseenMessage, person: ForeseenPerson): Outlook {
  const { dueMs, expiresMs, textHash, rules } = message
  let outlook: Outlook = { kind: 'now' }
  let atMs = dueMs
  let lastMs = dueMs
  for (let holds = 0; holds < maxHolds; holds += 1) {
    const decided = outlookOf(person.decideAt(atMs), expiresMs)
    if (decided.kind === 'never') return decided
    if (decided.kind === 'later') {
      outlook = decided
      atMs = decided.atMs
      lastMs = decided.lastMs ?? atMs
    }
    const day = rules.length > 0 ? person.dayAt(atMs) : undefined
    const forbidden = day && judgeCounts({ message: '-', textHash }, person.diary, rules, atMs, day)
    if (!forbidden) return outlook
    const held = outlookOf([decisionOn(forbidden, expiresMs)], expiresMs)
    if (held.kind !== 'later') return held
    atMs = held.atMs
    // who is sent to late in the first window may find the second time over by then
    outlook = lastMs > atMs ? { ...held, lastMs } : held
  }
  return outlook
}
