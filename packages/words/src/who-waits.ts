/** Who of a message waits because of a rule about people, and to whom of them it may be sent in spite of it. */
import type { HistoryView } from '@courier-fleet/api-types'
import { ruleCauses } from '@courier-fleet/api-types/waves'
import { heldFor } from './held-people.ts'

export interface WhoWaits {
  /** for the end of quiet hours; only where whoever looks may send in them */
  readonly quiet: number
  /** the same where only an operator may */
  readonly forOperators: number
  /** until they are online */
  readonly online: number
  /** to whom of these it may be sent now, each once: somebody may be in quiet hours on one channel, and awaited on another */
  readonly now: number
  /** for any rule: they can be left out */
  readonly all: number
}

type Facts = Pick<HistoryView, 'waiting' | 'people' | 'channels'>

/** @param maySendInQuiet whoever looks may send to people in their quiet hours */
export function whoWaits(history: Facts, maySendInQuiet: boolean): WhoWaits {
  const inQuiet = heldFor(history, ['quiet'])
  return {
    quiet: maySendInQuiet ? inQuiet : 0,
    forOperators: maySendInQuiet ? 0 : inQuiet,
    online: heldFor(history, ['online']),
    now: heldFor(history, maySendInQuiet ? ['quiet', 'online'] : ['online']),
    all: heldFor(history, ruleCauses),
  }
}
