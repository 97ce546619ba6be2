/** The tokens a message is addressed to: `user:` `group:` `cohort:` `topic:` `role:` and an id. */
import { type MadeRole, Problem, rightsOf } from '@courier-fleet/api-types'

const tokenPattern = /^(user|group|cohort|topic|role):([A-Za-z0-9_-]{1,64})$/

export interface Token {
  readonly kind: 'user' | 'group' | 'cohort' | 'topic' | 'role'
  readonly id: string
  readonly text: string
  /** the field of the request it stands in, `to.N` */
  readonly field: string
}

/** The tokens of a message, or why it is refused. */
export type Addressed = readonly Token[] | Problem

/** @returns the tokens, or a Problem 422 for the first that cannot be one */
export function parseTokens(texts: readonly string[], made: readonly MadeRole[]): Addressed {
  const tokens: Token[] = []
  for (const [index, text] of texts.entries()) {
    const field = `to.${index}`
    const [, kind, id] = tokenPattern.exec(text) ?? []
    if (kind === undefined || id === undefined || (kind === 'role' && !rightsOf(made, id))) {
      return unknownAudience(text, field)
    }
    tokens.push({ kind: kind as Token['kind'], id, text, field })
  }
  return tokens
}

/** The tokens of all messages that are not refused. */
export function* tokensIn(messages: readonly Addressed[]): Generator<Token> {
  for (const addressed of messages) if (!(addressed instanceof Problem)) yield* addressed
}

export const unknownAudience = (token: string, field: string) =>
  new Problem(422, 'unknown-audience', `"${token.slice(0, 80)}" is nobody known here`, field)
