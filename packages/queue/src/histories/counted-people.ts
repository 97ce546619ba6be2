/** The people behind a number of the statistics: whose receipts of some hours say what the number counts, message by message. */
import {
  type CountedPerson,
  defaultType,
  historyKeyOf,
  type Passed,
  type Reason,
  type ReceiptState,
  type ReceiptView,
  type StatsPeople,
} from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import {
  type AcceptedMessage,
  type Histories,
  type Listed,
  type ListWindow,
  type ReceiptGlance,
  stepsPassed,
} from '@courier-fleet/store'

/** There is no index of receipts by time: one call looks at this many messages or a few more, and is gone on from there. */
const maxLookedAt = 500
/** people of them whose receipts are looked at, or a message more */
const maxPeople = 200_000
/** of each stream */
const readAtOnce = 20
const maxTextLength = 200

export interface Counted {
  readonly type?: string | undefined
  readonly channel: string
  /** either, as the statistics count them */
  readonly came?: ReceiptState | undefined
  readonly passed?: keyof Passed | undefined
  readonly reason?: Reason | undefined
  /** Unix ms, inclusive */
  readonly fromMs: number
  /** exclusive */
  readonly toMs: number
}

/** All messages accepted later than `ms` were looked at, and of this one, accepted then, everybody before the ordinal. */
interface Place {
  readonly ms: number
  readonly key: string
  readonly ordinal: number
}

export const placePattern = /^\d{1,15}~[\w.-]{1,200}~\d{1,9}$/

const placeText = ({ ms, key, ordinal }: Place) => `${ms}~${key}~${ordinal}`

function placeOf(text: string): Place {
  const [ms, key = '', ordinal] = text.split('~')
  return { ms: Number(ms), key, ordinal: Number(ordinal) }
}

interface Page {
  /** `next` of the page before */
  readonly before?: string | undefined
  readonly limit: number
}

interface Deps {
  readonly histories: Histories
  readonly directory: Directory
}

type Found = Omit<StatsPeople, 'from' | 'to'>

export async function countedPeople({ histories, directory }: Deps, counted: Counted, page: Page): Promise<Found> {
  const people: CountedPerson[] = []
  let messages = 0
  let looked = 0
  const isWanted = wantedOf(counted)
  const found = async (end?: Place): Promise<Found> => ({
    people: await named(directory, people),
    messages,
    ...(end ? { searchedSince: new Date(end.ms).toISOString(), next: placeText(end) } : {}),
  })
  const place = page.before === undefined ? undefined : placeOf(page.before)
  for await (const { listed, snapshot, from } of messagesFrom(histories, counted.toMs, place)) {
    messages += 1
    const message = snapshot && histories.message(snapshot)
    const stopped = (ordinal: number) => ({ ms: listed.at, key: historyKeyOf(listed.ref), ordinal })
    if (snapshot && message && isOf(message, counted)) {
      const limit = page.limit - people.length
      const { rows, next } = await histories.receipts(snapshot, {
        channel: counted.channel,
        fits: isWanted,
        from,
        limit,
      })
      for (const row of rows) people.push(personOf(listed, message, row, counted.channel))
      looked += message.size
      if (next !== undefined) return found(stopped(next))
    }
    if (messages >= maxLookedAt || looked >= maxPeople) return found(stopped(message?.size ?? 0))
  }
  return found()
}

/** The latest accepted first; of the first of them people from an ordinal on. */
async function* messagesFrom(histories: Histories, toMs: number, place: Place | undefined) {
  for (let before: number | undefined = place ? place.ms + 1 : toMs; before !== undefined; ) {
    const window: ListWindow = await histories.list(undefined, before, readAtOnce)
    const first = place ? window.found.findIndex(({ ref }) => historyKeyOf(ref) === place.key) : -1
    const rest = window.found.slice(Math.max(0, first))
    const snapshots = await Promise.all(rest.map(({ ref }) => histories.snapshot(ref)))
    for (const [index, listed] of rest.entries()) {
      yield { listed, snapshot: snapshots[index], from: index === 0 && first >= 0 ? (place as Place).ordinal : 0 }
    }
    before = window.next
  }
}

/** Whoever is told of a message when it starts has come to `pending`, and it is not kept of them when they left it. */
function isOf({ rules, startedMs }: AcceptedMessage, { type, came, fromMs, toMs }: Counted): boolean {
  if (startedMs === undefined || startedMs >= toMs) return false
  if (type !== undefined && (rules?.type ?? defaultType) !== type) return false
  return came !== 'pending' || startedMs >= fromMs
}

function wantedOf({ came, passed, reason, fromMs, toMs }: Counted): (receipt: ReceiptGlance) => boolean {
  if (came === 'pending') return () => true
  return (receipt) => {
    if (receipt.at === undefined || receipt.at < fromMs || receipt.at >= toMs) return false
    if (passed !== undefined) return stepsPassed(receipt).includes(passed)
    return receipt.state === came && (reason === undefined || receipt.reason === reason)
  }
}

function personOf(
  { ref, at }: Listed,
  { text }: AcceptedMessage,
  { person, name, channels }: ReceiptView,
  channel: string,
): CountedPerson {
  return {
    key: historyKeyOf(ref),
    sender: ref.sender,
    acceptedAt: new Date(at).toISOString(),
    text: text.slice(0, maxTextLength),
    person,
    ...(name === undefined ? {} : { name }),
    receipt: channels[channel] as CountedPerson['receipt'],
  }
}

async function named(directory: Directory, people: readonly CountedPerson[]): Promise<CountedPerson[]> {
  const names = await directory.namesOf(people.map(({ person }) => person))
  return people.map((each, index) => {
    const name = names[index] ?? each.name
    return name === undefined ? each : { ...each, name }
  })
}
