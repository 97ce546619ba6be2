/** What the audit says of messages that were accepted. */
import type { AuditEntry } from '@courier-fleet/store'
import { wordsIn } from '@courier-fleet/words'
import { aboutMessage } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import { wordsOfRules } from './check-rules.ts'
import type { Draft } from './draft.ts'

export type SentLines = (created: readonly Draft[], by: Caller) => readonly AuditEntry[]

/** Of calls, each of which has sent one. */
export const linesOfEach: SentLines = (created, by) => created.map((draft) => lineOf(draft, by))

/** Of the lines of a bulk request, whose first stands for all. */
export const oneLineOfAll: SentLines = (created, by) => {
  const [first] = created
  if (!first) return []
  if (created.length === 1) return [lineOf(first, by)]
  const asked = new Set(created.map(({ offer }) => rulesOf(offer.body)))
  const detail = `${created.length} messages in bulk, this one first${[...asked].join('')}`
  return [{ action: 'message.sent', ...aboutMessage(by, first.offer.ref), detail }]
}

function lineOf({ offer: { ref, body }, audience, dueMs }: Draft, by: Caller): AuditEntry {
  const detail = `${body.to.join(' ')}: ${wordsIn('en').people(audience.size)}${rulesOf(body)}`
  const after = dueMs === 0 ? 'now' : new Date(dueMs).toISOString()
  return { action: 'message.sent', ...aboutMessage(by, ref), detail, after }
}

function rulesOf(body: Draft['offer']['body']): string {
  const words = wordsOfRules(body)
  return words === '' ? '' : `; ${words}`
}
