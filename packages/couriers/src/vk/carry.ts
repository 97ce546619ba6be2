/** How the courier's three ways to somebody go out: through one queue of calls, each within the time there is for it. */
import type { Edit, Item, Outcome } from '../courier.ts'
import { type Attached, sendWithFiles, type WithFiles } from '../with-files.ts'
import type { CallQueue } from './call-queue.ts'
import { type ChangeCalls, deleteCallsOf, editCallsOf } from './change-calls.ts'
import { peerBatchesOf } from './peer-batches.ts'

/** What goes out within this time, its documents with it. @param paceEndsAt as performance.now() counts */
type Carry<Some extends Item> = (
  items: readonly (Some & Attached)[],
  signal: AbortSignal,
  paceEndsAt: number,
) => Promise<Outcome[]>

export interface Carrier {
  readonly send: Carry<Item>
  readonly edit: Carry<Edit>
  readonly recall: Carry<Edit>
}

export function createCarrier(queue: Pick<CallQueue, 'send'>, files: WithFiles): Carrier {
  /** The parts of a long text go one after the other: each only to those who got the one before. */
  const sendParts: Carry<Item> = async (items, signal, paceEndsAt) => {
    const batches = peerBatchesOf(items)
    for (let calls = batches.next(); calls.length > 0; calls = batches.next())
      batches.settle(await queue.send(calls, signal, paceEndsAt))
    return batches.outcomes
  }

  const changing =
    (callsOf: (messages: readonly (Edit & Attached)[]) => ChangeCalls): Carry<Edit> =>
    async (messages, signal, paceEndsAt) => {
      const { calls, outcomes } = callsOf(messages)
      return outcomes(await queue.send(calls, signal, paceEndsAt))
    }

  const withFiles =
    <Some extends Item>(carry: Carry<Some>): Carry<Some> =>
    (items, signal, paceEndsAt) => {
      const waitMs = (paceEndsAt - performance.now()) / 2
      return sendWithFiles({ items, waitMs, signal, send: (ready) => carry(ready, signal, paceEndsAt) }, files)
    }

  return {
    send: withFiles(sendParts),
    edit: withFiles(changing(editCallsOf)),
    recall: changing(deleteCallsOf),
  }
}
