/** Who of a message waits because of a rule about people, and to whom of them it may be sent in spite of it. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { heldIn } from './held-people.ts'

export interface WhoWaits {
  /** for the end of quiet hours; only where whoever looks may send in them */
  readonly quiet: number
  /** the same where only an operator may */
  readonly forOperators: number
  /** until they are online */
  readonly online: number
  /** for any rule: they can be left out */
  readonly all: number
}

type Facts = Pick<HistoryView, 'waiting' | 'people' | 'channels'>

/** @param maySendInQuiet whoever looks may send to people in their quiet hours */
export function whoWaits(history: Facts, maySendInQuiet: boolean): WhoWaits {
  const held = heldIn(history)
  const count = (is: (cause: WaveCause) => boolean) =>
    held.reduce((sum, { cause, people }) => (is(cause) ? sum + people : sum), 0)
  const inQuiet = count((cause) => cause === 'quiet')
  return {
    quiet: maySendInQuiet ? inQuiet : 0,
    forOperators: maySendInQuiet ? 0 : inQuiet,
    online: count((cause) => cause === 'online'),
    all: count(() => true),
  }
}
