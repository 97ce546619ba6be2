/** How long the three classes take at a rate that they share by weight: whoever is done leaves their share to the others. */
import { classes, type MessageClass } from '@courier-fleet/api-types'

type OfClasses = Readonly<Record<MessageClass, number>>

/** @returns ms from now until the last of each class has been sent to; 0 where nobody waits */
export function timesAtRate(waiting: OfClasses, weights: OfClasses, perSecond: number): Record<MessageClass, number> {
  // whoever waits longest for a place of their own is done last
  const inOrder = [...classes].sort((a, b) => waiting[a] / weights[a] - waiting[b] / weights[b])
  const times = { urgent: 0, normal: 0, bulk: 0 }
  let [seconds, rounds] = [0, 0]
  for (const [at, cls] of inOrder.entries()) {
    // in a round each class that is left has as many places as its weight
    const own = waiting[cls] / weights[cls]
    const places = inOrder.slice(at).reduce((sum, each) => sum + weights[each], 0)
    seconds += ((own - rounds) * places) / perSecond
    rounds = own
    times[cls] = Math.round(seconds * 1000)
  }
  return times
}
