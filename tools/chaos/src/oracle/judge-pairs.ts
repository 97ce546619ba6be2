/** Messages that may go out as one: what each history says of that, beside what the providers took. */
import { type Add, type Seen, shownTo } from './shaped-views.ts'

/** @returns on how many channels this message went along with the first of its pair */
export function judgePair(seen: Seen, add: Add): number {
  const { message, receipts } = seen
  const { first } = message
  const [person] = message.people
  if (!first || !person) return 0
  let joined = 0
  for (const channel of message.channels) {
    const where = { channel, person: person.id }
    const { state, sentWith } = receipts[0]?.channels[channel] ?? {}
    const isJoined = shownTo(seen, channel, person.id).some(({ markers }) => markers.length > 1)
    if (isJoined) joined += 1
    if (sentWith !== undefined && sentWith !== first.key) add('told-falsely', `went with ${sentWith}, it says`, where)
    if (isJoined && sentWith === undefined) add('told-falsely', 'went with another, and does not say so', where)
    if (!isJoined && sentWith !== undefined && state !== 'unknown')
      add('told-falsely', `went with ${sentWith}, it says; the provider had them apart`, where)
  }
  return joined
}
