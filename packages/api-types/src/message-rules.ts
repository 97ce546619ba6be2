/** What a message says of the rules about people: of what type it is, and where it asks for less or more than its type. */
import { z } from 'zod'

/** Of a message that names none. It is always there, and has no rules until somebody gives it some. */
export const defaultType = 'general'
/** Of the fleet's own words: answers, codes, alarms. No rule counts it, it counts for none, and nobody can send it by the API. */
export const serviceType = 'service'

export const level = z
  .int()
  .min(1)
  .max(5)
  .describe('how important, 1 to 5')
  .meta({ examples: [4] })

export const quietRespects = ['respect', 'ignore'] as const

/** As it is kept with a message; what it does not say its type says, at the moment of each decision. */
export interface MessageRules {
  /** absent: `general` */
  readonly type?: string
  readonly level?: number
  readonly quiet?: (typeof quietRespects)[number]
  readonly duplicates?: 'allow'
}

/** Only what differs from a message that says nothing; undefined when nothing does: then it costs no byte. */
export function rulesIn(
  said: { readonly [Name in keyof MessageRules]: MessageRules[Name] | undefined },
): MessageRules | undefined {
  const { type, level, quiet, duplicates } = said
  const rules = {
    ...(type === undefined || type === defaultType ? {} : { type }),
    ...(level === undefined ? {} : { level }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(duplicates === undefined ? {} : { duplicates }),
  }
  return Object.keys(rules).length === 0 ? undefined : rules
}
