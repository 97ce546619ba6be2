/** Saying the same in more or in fewer letters. */
import type { Candidate } from './find-audience.ts'

/** Of texts that say the same, from the longest to the shortest, the one that is sent. */
export type Choose = (...texts: readonly [string, ...string[]]) => string

export const namesOf = (candidates: readonly Candidate[]) => candidates.map(({ name }) => name).join(', ')
export const idsOf = (candidates: readonly Candidate[], or: string) => candidates.map(({ id }) => id).join(` ${or} `)
export const cut = (name: string, length: number, dots: string) =>
  name.length <= length ? name : `${[...name].slice(0, length - dots.length).join('')}${dots}`
