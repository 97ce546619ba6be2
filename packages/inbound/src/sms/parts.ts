/**
 * Puts long texts together. A part is kept in a note before the centre is told that it was taken, for many centres bring the
 * next part only then; so neither the end of this process nor another process that gets the other parts loses any.
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
      const finished = await notes.get(doneName)
      if (finished && 'done' in finished) {
        if (finished.done[number - 1] === digest(text)) return undefined
        await notes.remove(doneName)
      }
      await notes.put(`${name}.${number}`, { text, at: now() })
      const found = await Promise.all(numbers.map((each) => notes.get(`${name}.${each}`)))
      const texts = found.flatMap((note) => (note && 'text' in note && now() - note.at < maxWaitMs ? [note.text] : []))
      if (texts.length < total) return undefined
      return {
        text: texts.join(''),
        async finish() {
          await notes.put(doneName, { done: texts.map((each) => digest(each)) })
          await Promise.all(numbers.map((each) => notes.remove(`${name}.${each}`)))
        },
      }
    },
  }
}
