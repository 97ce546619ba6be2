/** What the API refuses, for people: by the code of the problem. Its own words are for those who write programs. */
import type { Language } from './catalogue.ts'
import { wordsIn } from './words-in.ts'

/** In a sentence or two that says what to do next where that helps; one for everything else where the code has none. */
export function problemWords(language: Language, code: string): string {
  const { problems, otherProblem } = wordsIn(language)
  return problems[code] ?? otherProblem
}

/** The codes that have words of their own. */
export const wordedProblems = (language: Language): readonly string[] => Object.keys(wordsIn(language).problems)
