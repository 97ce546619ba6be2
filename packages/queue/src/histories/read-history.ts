/** Histories as routes answer them. */
import { type Acceptance, type HistoryRef, type HistoryView, Problem } from '@courier-fleet/api-types'
import { acceptanceNow, type Counting, type Histories, type Snapshot } from '@courier-fleet/store'
import type { Accepted } from '../acceptance/draft.ts'
import { unknownHistory } from '../http/unknown.ts'

/** @throws Problem 404 when there is no such history */
export async function readSnapshot(histories: Pick<Histories, 'snapshot'>, ref: HistoryRef): Promise<Snapshot> {
  return (await histories.snapshot(ref)) ?? unknownHistory()
}

/** @throws Problem 404 when there is no such history */
export async function readHistory(
  histories: Pick<Histories, 'snapshot' | 'view'>,
  ref: HistoryRef,
  how?: Counting,
): Promise<HistoryView> {
  return histories.view(await readSnapshot(histories, ref), how)
}

/** @throws Problem 404 when nothing was put under this key */
export async function readAcceptance(histories: Pick<Histories, 'acceptance'>, ref: HistoryRef): Promise<Acceptance> {
  const found = await histories.acceptance(ref)
  if (!found) throw new Problem(404, 'unknown-key', 'nothing was put under this key', 'key')
  return found
}

/** What is told of a message that was put: nothing is read where it was accepted now. */
export const acceptanceOf = (histories: Pick<Histories, 'acceptance'>, accepted: Accepted): Promise<Acceptance> =>
  accepted.created ? acceptanceNow(accepted) : readAcceptance(histories, accepted.ref)
