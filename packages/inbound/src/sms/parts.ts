/**
 * Puts long texts together. A part is kept in a note before the centre is told that it was taken, for many centres bring the
 * next part only then; so neither the end of this process nor another process that gets the other parts loses any.
 *
 * A part that is as it was in the text before may be that one brought again, or of another text that has it in common, under a reference that came
 * again: which of both is known with the rest of them, so it waits for that. All as before, the text was taken.
 */
import { digest } from '../digest.ts'
import type { Notes } from '../notes.ts'
import type { Part } from './read-sms.ts'

export type PartNote = { readonly text: string; readonly at: number } | { readonly done: readonly string[] }

export interface Whole {
  readonly text: string
  /** to be called once the whole text was taken: its parts, coming again, are known */
  finish(): Promise<void>
}

export interface Parts {
  /** @returns the whole text with its last part, or again; undefined while parts are missing, or when it was taken before */
  add(from: string, to: string, part: Part, text: string): Promise<Whole | undefined>
}

/** A part that waited longer is of another text: references are few, and come again. */
export const maxWaitMs = 3_600_000

export function createParts({ notes, now }: { notes: Notes<PartNote>; now: () => number }): Parts {
  return {
    async add(from, to, { reference, number, total }, text) {
      const name = digest(from, to, reference, String(total))
      const numbers = Array.from({ length: total }, (_, index) => index + 1)
      const doneName = `${name}.done`
      const removeParts = () => Promise.all(numbers.map((each) => notes.remove(`${name}.${each}`)))
      const finished = await notes.get(doneName)
      const done = finished && 'done' in finished ? finished.done : []
      const wasTaken = (each: number, its: string) => done[each - 1] === digest(its)

      const waitingText = async (each: number): Promise<string[]> => {
        const note = await notes.get(`${name}.${each}`)
        if (!note || !('text' in note) || now() - note.at >= maxWaitMs) return []
        // the end of the text before, brought again: of one that only begins it is none
        const isOfBefore = each > number && wasTaken(each, note.text) && !wasTaken(number, text)
        if (isOfBefore) await notes.remove(`${name}.${each}`)
        return isOfBefore ? [] : [note.text]
      }

      await notes.put(`${name}.${number}`, { text, at: now() })
      const texts = (await Promise.all(numbers.map(waitingText))).flat()
      if (texts.length < total) return undefined
      if (texts.every((each, index) => wasTaken(index + 1, each))) {
        await removeParts()
        return undefined
      }
      return {
        text: texts.join(''),
        async finish() {
          await notes.put(doneName, { done: texts.map((each) => digest(each)) })
          await removeParts()
        },
      }
    },
  }
}
