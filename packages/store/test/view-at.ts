import type { HistoryRef, HistoryView } from '@courier-fleet/api-types'
import type { Histories } from '../src/history/histories.ts'
import type { Snapshot } from '../src/history/snapshot.ts'

/** A history that is there, as the API shows it now. */
export async function viewAt(histories: Histories, ref: HistoryRef): Promise<HistoryView> {
  return histories.view((await histories.snapshot(ref)) as Snapshot)
}
