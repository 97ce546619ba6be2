/** `ИВТ-101 завтра 8:00: …`: a moment written behind the last name. Names come first: what somebody is called is never taken for a moment. */
import { type Candidate, type Found, findAudience } from './find-audience.ts'
import type { Command, Written } from './read-command.ts'
import { type Here, readWhen, type When } from './when/read-when.ts'

type MessageCommand = Extract<Command, { kind: 'message' }>

export type Meant =
  | { readonly kind: 'now'; readonly found: Found; readonly text: string }
  | { readonly kind: 'later'; readonly found: Found; readonly text: string; readonly when: When }
  /** a time without a text behind it */
  | { readonly kind: 'no-text' }

/** words of a name that may be a moment */
const maxWords = 6

export function readDeferral(command: MessageCommand, candidates: readonly Candidate[], here: Here): Meant {
  const { timed, to, text } = command
  const found = findAudience(to, candidates)
  if (found.kind !== 'unknown') return { kind: 'now', found, text }
  const written: Written = timed === undefined || timed === 'no-text' ? { to, text } : timed
  const last = lastWithMoment(written.to.at(-1) ?? '', here)
  if (!last) return { kind: 'now', found, text }
  if (timed === 'no-text') return { kind: 'no-text' }
  const names = [...written.to.slice(0, -1), last.name]
  return { kind: 'later', found: findAudience(names, candidates), text: written.text, when: last.when }
}

/** The name before the longest end of it that is a moment. */
function lastWithMoment(name: string, here: Here): { readonly name: string; readonly when: When } | undefined {
  const words = name.split(/\s+/)
  for (let at = Math.max(1, words.length - maxWords); at < words.length; at++) {
    const when = readWhen(words.slice(at).join(' '), here)
    if (!('ask' in when) || when.ask !== 'unclear') return { name: words.slice(0, at).join(' '), when }
  }
  return undefined
}
