/** A problem that says more than words: what a program, or a person in their own language, is to be told of it. */
import { Problem, type ProblemDocument } from '@courier-fleet/api-types'

export type ProblemFacts = Pick<ProblemDocument, 'resetsAt' | 'possibleAt' | 'sentAt' | 'people' | 'fields' | 'first'>

export class ProblemWithFacts extends Problem {
  readonly facts: ProblemFacts

  constructor(status: number, code: string, detail: string, facts: ProblemFacts, field?: string, retryAfter?: number) {
    super(status, code, detail, field, retryAfter)
    this.facts = facts
  }
}
