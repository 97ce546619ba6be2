/** Which message a text has cancelled: brought again, or written twice in a hurry, it means that one and no other. */
import type { Clock } from '@courier-fleet/process'
import type { Notes } from '../notes.ts'

export interface Decided {
  readonly key: string
  /** what they are called whom it was for: of a cancelled message that is not kept */
  readonly names: string
  /** Unix ms; absent until the centre knows that the text was taken */
  readonly until?: number
}

export interface Decisions {
  /** @param text names the text and its sender */
  of(text: string): Promise<Decided | undefined>
  keep(text: string, decided: Decided): Promise<void>
  /** The centre has been told: after a while the same text is another order. */
  finish(text: string): Promise<void>
}

export interface DecisionsDeps {
  readonly notes: Notes<Decided>
  readonly clock: Clock
  /** within this the same text is the same order */
  readonly repeatMs: number
}

export function createDecisions({ notes, clock, repeatMs }: DecisionsDeps): Decisions {
  return {
    async of(text) {
      const decided = await notes.get(text)
      return decided?.until === undefined || clock.now() < decided.until ? decided : undefined
    },
    keep: (text, decided) => notes.put(text, decided),
    async finish(text) {
      const decided = await notes.get(text)
      if (decided && decided.until === undefined) await notes.put(text, { ...decided, until: clock.now() + repeatMs })
    },
  }
}
