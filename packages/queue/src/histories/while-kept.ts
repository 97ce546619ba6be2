/**
 * What is read of a message's people holds only if they were there until it had been read. A purge, and a cancel before it has started, take them
 * away in one step: what is read after that would be people without a name, to whom nothing was sent.
 */
import { type HistoryRef, type HistoryState, Problem } from '@courier-fleet/api-types'
import type { Histories, Snapshot } from '@courier-fleet/store'
import { unknownHistory } from '../http/unknown.ts'
import { readSnapshot } from './read-history.ts'

interface Page<Row> {
  readonly rows: Row[]
  readonly next?: number
}

/** @returns the state it is in now that this was read. @throws Problem 404 `unknown-key` when it was purged meanwhile */
export async function requireKept(histories: Pick<Histories, 'state'>, ref: HistoryRef): Promise<HistoryState> {
  return (await histories.state(ref)) ?? unknownHistory()
}

/**
 * A page of its people, from an ordinal on: nobody, of one that was cancelled before it started.
 * @throws Problem 404 `unknown-key` · 409 `was-cancelled` where those before were told already: they are not everybody
 */
export async function pageWhileKept<Row>(
  histories: Pick<Histories, 'state'>,
  { ref, from }: { readonly ref: HistoryRef; readonly from: number },
  page: Promise<Page<Row>>,
): Promise<Page<Row>> {
  // what came of reading people who went is not told before that
  const [read] = await Promise.allSettled([page])
  const isCancelled = (await requireKept(histories, ref)) === 'cancelled'
  if (isCancelled && from === 0) return { rows: [] }
  if (isCancelled)
    throw new Problem(409, 'was-cancelled', 'it was cancelled before it started: its people are not kept')
  if (read.status === 'rejected') throw read.reason
  return read.value
}

/** All pages from an ordinal on, each of the message as it is then. @throws Problem as pageWhileKept(): a stream of them breaks off */
export async function* pagesWhileKept<Row>(
  histories: Pick<Histories, 'state' | 'snapshot'>,
  { ref, from }: { readonly ref: HistoryRef; readonly from: number },
  read: (snapshot: Snapshot, from: number) => Promise<Page<Row>>,
): AsyncGenerator<Row[]> {
  for (let at: number | undefined = from; at !== undefined; ) {
    const snapshot = await readSnapshot(histories, ref)
    const page: Page<Row> = await pageWhileKept(histories, { ref, from: at }, read(snapshot, at))
    if (page.rows.length > 0) yield page.rows
    at = page.next
  }
}
