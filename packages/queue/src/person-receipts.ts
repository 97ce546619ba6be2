/** What one person got, message by message, of everybody's messages but the fleet's own. */
import { historyKeyOf, type PersonReceipts } from '@courier-fleet/api-types'
import type { Person } from '@courier-fleet/directory'
import type { Histories, Listed, PersonReceipt } from '@courier-fleet/store'

/** There is no index of messages by person: one call looks at this many or a few more, says how far it came, and is gone on from there. */
const maxLookedAt = 500
/** of each stream */
const readAtOnce = 20
const maxTextLength = 200
const iso = (ms: number) => new Date(ms).toISOString()

/** Messages accepted in this time. @param fromMs inclusive @param toMs exclusive */
export async function personReceipts(
  histories: Histories,
  { id }: Person,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<PersonReceipts> {
  const messages: PersonReceipts['messages'] = []
  let lookedAt = 0
  let next: number | undefined = toMs
  while (next !== undefined && next > fromMs && lookedAt < maxLookedAt) {
    const window = await histories.list(undefined, next, readAtOnce)
    const { looked, rest } = split(window.found, maxLookedAt - lookedAt)
    const inTime = looked.filter(({ at }) => at >= fromMs)
    const found = await histories.ofPerson(
      inTime.map(({ ref }) => ref),
      id,
    )
    for (const [index, each] of found.entries()) if (each) messages.push(messageOf(inTime[index] as Listed, each))
    lookedAt += looked.length
    next = rest === undefined ? window.next : rest.at + 1
  }
  return { person: id, messages, ...(next !== undefined && next > fromMs ? { next: iso(next) } : {}) }
}

/** So many of them and what is of the same millisecond as the last; and the first of the others. */
function split(found: readonly Listed[], count: number): { looked: readonly Listed[]; rest: Listed | undefined } {
  const last = found[count - 1]
  const end = last === undefined ? -1 : found.findIndex(({ at }, index) => index >= count && at !== last.at)
  return end < 0 ? { looked: found, rest: undefined } : { looked: found.slice(0, end), rest: found[end] }
}

function messageOf({ ref, at }: Listed, { state, text, receipt }: PersonReceipt): PersonReceipts['messages'][number] {
  const { channels, toldByVoice, confirmed } = receipt
  return {
    key: historyKeyOf(ref),
    sender: ref.sender,
    acceptedAt: iso(at),
    state,
    text: text.slice(0, maxTextLength),
    channels,
    ...(toldByVoice ? { toldByVoice } : {}),
    ...(confirmed ? { confirmed } : {}),
  }
}
