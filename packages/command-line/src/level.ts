/** How far a message is to come, before a command is content with it. */
import { type HistoryView, isOver, mayBeReported, withContactOf } from '@courier-fleet/api-types'
import { tellsArrival } from '@courier-fleet/channels'

export const levels = ['handed-over', 'delivered'] as const
export type Level = (typeof levels)[number]

export const levelOption = {
  until: {
    type: 'string',
    value: 'LEVEL',
    choices: levels,
    about: 'what counts as done, where a provider confirms (SMS): delivered when absent',
  },
} as const

/** The arguments were checked against the choices. */
export const levelOf = (given: string | undefined): Level => levels.find((level) => level === given) ?? 'delivered'

export const levelExits = {
  0: 'everyone with a contact got it, as far as --until asks and their channel can tell',
  1: 'somebody did not, or nobody has a contact',
  3: 'of somebody it is not known, or not confirmed',
  4: 'it is still being sent',
} as const

/** What is still under way comes first, for it may turn out either way. */
export function exitCodeOf({ state, people }: HistoryView, until: Level): keyof typeof levelExits {
  if (!people) return state === 'cancelled' ? 1 : 4
  if (people.pending > 0) return 4
  if (people.notDelivered > 0 || withContactOf(people) === 0) return 1
  return people.unknown > 0 || (until === 'delivered' && people.handedOver > 0) ? 3 : 0
}

/** Whether there is nothing more to wait for. Mail is never confirmed: nobody waits for that. */
export function isDone(history: HistoryView, until: Level): boolean {
  if (!isOver(history)) return false
  if (until === 'handed-over' || !mayBeReported(history, Date.now())) return true
  return !Object.entries(history.channels).some(([leg, { sent }]) => sent > 0 && tellsArrival(leg))
}
