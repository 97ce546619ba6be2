/** Whom a sender may write to, and what they are called. */
import type { Client } from '@courier-fleet/client'
import { languageOf } from '@courier-fleet/words'
import { type Candidate, tokenOf } from '../find-audience.ts'
import { candidateOf } from '../topics.ts'

export async function candidatesOf(person: Client, language: string): Promise<Candidate[]> {
  const [{ groups }, { cohorts }, { topics }] = await Promise.all([person.groups(), person.cohorts(), person.topics()])
  return [
    ...groups.map(({ id, name }) => ({ kind: 'group' as const, id, name })),
    ...cohorts.map(({ id, name }) => ({ kind: 'cohort' as const, id, name })),
    ...topics.filter(({ mayWrite }) => mayWrite).map((topic) => candidateOf(topic, languageOf(language))),
  ]
}

export const nameOf = (token: string, candidates: readonly Candidate[]): string =>
  candidates.find((candidate) => tokenOf(candidate) === token)?.name ?? token
