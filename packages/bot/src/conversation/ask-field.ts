/** What a text is to say where the sender decides it: asked one field after the other. */
import { ApiError } from '@courier-fleet/client'
import type { AskedField } from '../store/chat.ts'
import type { PersonalExchange } from './exchange.ts'

/** @param asked those that are left, this one first @param why it is asked, where that is not plain */
export async function askField(
  { chat, words, show }: PersonalExchange,
  asked: readonly AskedField[],
  why?: string,
): Promise<void> {
  const [field] = asked
  if (!field) return
  chat.step = { kind: 'field', asked }
  const question = words.askField(field.label, field.example)
  const rows = [[{ label: words.buttons.drop, action: { do: 'drop' as const } }]]
  await show({ text: why === undefined ? question : `${why}\n${question}`, rows })
}

/** The fields that some people have no value for, and how many people. */
export function lackingIn(error: unknown): { readonly fields: readonly string[]; readonly people: number } | undefined {
  if (!(error instanceof ApiError) || error.problem.code !== 'missing-field') return undefined
  const { fields = [], people = 0 } = error.problem
  return fields.length > 0 ? { fields, people } : undefined
}
