/** What the answer of an address means that is asked before a message is sent. */
import type { RecheckAnswer } from '@courier-fleet/store'
import type { Answer } from '@courier-fleet/webhooks'

export interface RecheckReading {
  readonly answer: RecheckAnswer
  /** why it is none, in words */
  readonly silence?: string
}

/** @param people who were asked about, in the order of their places; undefined where the question was about the message */
export function readRecheckAnswer(answer: Answer, people?: readonly string[]): RecheckReading {
  if (answer.kind === 'blocked') return silent(`it may not be called: ${answer.why}`)
  if (answer.kind === 'no-answer') return silent(answer.detail)
  const { status, body, whole } = answer
  if (status !== 200) return silent(`it answered ${status}`)
  if (!whole) return silent('it answered 200, and what followed was too long or was cut')
  const word = body.trim().toLowerCase()
  if (word === 'ok' || word === 'error') return { answer: { kind: word } }
  const places = people && placesIn(body, people)
  return places ? { answer: { kind: 'some', places } } : silent(`it answered 200, but neither ok nor error`)
}

const silent = (silence: string): RecheckReading => ({ answer: { kind: 'silent' }, silence })

/** `{"ok": ["id", …]}`, `{"error": [ … ]}`, or both. @returns where those stand who are named ok alone; undefined where it is neither */
function placesIn(body: string, people: readonly string[]): ReadonlySet<number> | undefined {
  const said = parsed(body)
  const [ok, error] = [idsIn(said.ok), idsIn(said.error)]
  if (!ok || !error || (said.ok === undefined && said.error === undefined)) return undefined
  const places = new Set<number>()
  for (const [place, person] of people.entries()) if (ok.has(person) && !error.has(person)) places.add(place)
  return places
}

function parsed(body: string): { readonly ok?: unknown; readonly error?: unknown } {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Nobody where there is no list. */
function idsIn(list: unknown): ReadonlySet<string> | undefined {
  if (list === undefined) return new Set()
  return Array.isArray(list) && list.every((id) => typeof id === 'string') ? new Set(list) : undefined
}
