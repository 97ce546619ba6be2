/** What one person got, message by message, of everybody's messages but the fleet's own: for operators, and for themselves. */
import { historyKeyOf, type PersonReceipts, renderText } from '@courier-fleet/api-types'
import type { PersonInFull } from '@courier-fleet/directory'
import type { Histories, Listed, PersonReceipt } from '@courier-fleet/store'

/** There is no index of messages by person: one call looks at this many or a few more, says how far it came, and is gone on from there. */
const maxLookedAt = 500
/** of each stream */
const readAtOnce = 20
const maxTextLength = 200
const iso = (ms: number) => new Date(ms).toISOString()

interface Asked {
  /** inclusive */
  readonly fromMs: number
  /** exclusive */
  readonly toMs: number
  /** by the person themself: what has reached them, whole; nothing that is still to come */
  readonly isOwn?: boolean
}

/** Messages accepted in this time. */
export async function personReceipts(
  histories: Histories,
  person: PersonInFull,
  { fromMs, toMs, isOwn = false }: Asked,
): Promise<PersonReceipts> {
  const { id } = person
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
    for (const [index, each] of found.entries())
      if (each && (!isOwn || mayHaveSeen(each)))
        messages.push(messageOf(inTime[index] as Listed, { ...each, text: textFor(person, each) }, isOwn))
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

/** As they would read it now: what was sent to each of several texts is not kept. */
const textFor = (person: PersonInFull, { text, personal }: PersonReceipt): string =>
  renderText({ text, personal }, person).text ?? text

const reached: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'confirmed'])

export const mayHaveSeen = ({ receipt: { channels, toldByVoice, confirmed } }: PersonReceipt) =>
  toldByVoice !== undefined ||
  confirmed !== undefined ||
  Object.values(channels).some(({ state }) => reached.has(state))

function messageOf(
  { ref, at }: Listed,
  { state, text, asks, version, receipt }: PersonReceipt,
  isOwn: boolean,
): PersonReceipts['messages'][number] {
  const { channels, toldByVoice, confirmed } = receipt
  return {
    key: historyKeyOf(ref),
    sender: ref.sender,
    acceptedAt: iso(at),
    state,
    text: isOwn ? text : text.slice(0, maxTextLength),
    channels,
    ...(toldByVoice ? { toldByVoice } : {}),
    ...(confirmed ? { confirmed } : {}),
    ...(asks && !confirmed ? { toConfirm: asks } : {}),
    version,
  }
}
