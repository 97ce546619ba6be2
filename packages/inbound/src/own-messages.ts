/** What somebody has sent, as far back as it is looked for. */
import type { HistoryView, ListState } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'

const perPage = 50
/** more than one person sends while messages are kept: 5000 of theirs, or of one state what the API finds in so many calls */
const maxPages = 100

/** Of one state, or of all: the newest first, except that those that are `held` go by when they came to wait. */
async function* ownMessages(person: Pick<Client, 'histories'>, state?: ListState): AsyncGenerator<HistoryView> {
  let before: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { histories, next } = await person.histories({
      limit: perPage,
      ...(state === undefined ? {} : { state }),
      ...(before === undefined ? {} : { before }),
    })
    // a key that was issued is there, too, before there is a message
    yield* histories.filter(({ acceptedAt }) => acceptedAt !== undefined)
    if (next === undefined) return
    before = next
  }
}

export interface Wanted {
  /**
   * All of them when absent: whoever wants what is rare asks for its states, however much was sent since. In the order in which a message comes
   * through them, so that one which goes on meanwhile is found twice rather than never.
   */
  readonly states?: readonly ListState[]
  readonly limit: number
  readonly is?: (history: HistoryView) => boolean
}

/** The newest of their messages that are wanted, the newest first. */
export async function findOwnMessages(
  person: Pick<Client, 'histories'>,
  { states, limit, is = () => true }: Wanted,
): Promise<HistoryView[]> {
  const found = new Map<string, HistoryView>()
  for (const state of states ?? [undefined]) {
    let ofState = 0
    for await (const history of ownMessages(person, state)) {
      if (!is(history)) continue
      found.set(history.key, history)
      ofState += 1
      if (ofState >= limit) break
    }
  }
  return [...found.values()]
    .sort((one, other) => Date.parse(other.acceptedAt ?? '') - Date.parse(one.acceptedAt ?? ''))
    .slice(0, limit)
}
