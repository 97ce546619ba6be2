/** From the names of groups, cohorts and topics as people type them to those that are meant: exactly one each, or a question. */
import { distance, isSame, type Spelling, spellingOf } from './spelling.ts'

/** A group, cohort or topic that the sender may write to, or one may join; a type of message. */
export interface Candidate {
  readonly kind: 'group' | 'cohort' | 'topic' | 'type'
  readonly id: string
  readonly name: string
  /** its name in another language */
  readonly alias?: string
}

export type Found =
  /** of the API, such as group:ivt-101; each once */
  | { readonly kind: 'found'; readonly to: readonly string[] }
  | { readonly kind: 'unknown'; readonly name: string; readonly nearest: readonly Candidate[] }
  | { readonly kind: 'ambiguous'; readonly name: string; readonly candidates: readonly Candidate[] }

const kinds: readonly (readonly [RegExp, Candidate['kind']])[] = [
  [/^(?:группа|гр|group)(?!\p{L})[\s.№-]*(.+)$/iu, 'group'],
  [/^(?:поток|cohort)(?!\p{L})[\s.№-]*(.+)$/iu, 'cohort'],
  [/^(?:тема|topic)(?!\p{L})[\s.№-]*(.+)$/iu, 'topic'],
]
const maxNearest = 3

export const tokenOf = ({ kind, id }: Candidate) => `${kind}:${id}`

/** The first name that is not clear decides. */
export function findAudience(names: readonly string[], candidates: readonly Candidate[]): Found {
  const spelled = candidates.map((candidate) => ({
    candidate,
    spellings: [candidate.id, candidate.name, ...(candidate.alias === undefined ? [] : [candidate.alias])].map(
      spellingOf,
    ),
  }))
  const to = new Set<string>()
  for (const name of names) {
    const meant = exactly(name, candidates) ?? spelled.filter(isMeantBy(name)).map(({ candidate }) => candidate)
    const [one, ...others] = meant
    if (!one) return { kind: 'unknown', name, nearest: nearestTo(name, spelled) }
    if (others.length > 0) return { kind: 'ambiguous', name, candidates: meant }
    to.add(tokenOf(one))
  }
  return { kind: 'found', to: [...to] }
}

/** Of one name. An id is what a question is answered with: it means that one, whatever others are called. */
export function findOne(
  name: string,
  candidates: readonly Candidate[],
): { readonly kind: 'found'; readonly candidate: Candidate } | Exclude<Found, { kind: 'found' }> {
  const byId = candidates.find(({ id }) => id.toLowerCase() === name.toLowerCase())
  if (byId) return { kind: 'found', candidate: byId }
  const found = findAudience([name], candidates)
  if (found.kind !== 'found') return found
  return { kind: 'found', candidate: candidates.find((each) => tokenOf(each) === found.to[0]) as Candidate }
}

interface Spelled {
  readonly candidate: Candidate
  readonly spellings: readonly Spelling[]
}

/** `group:ivt-101` is what a question is answered with: it means that id and nothing else. */
function exactly(name: string, candidates: readonly Candidate[]): Candidate[] | undefined {
  const [, kind, id] = /^(group|cohort|topic):\s*([\w-]+)$/i.exec(name) ?? []
  if (kind === undefined || id === undefined) return undefined
  const ofKind = candidates.filter((candidate) => candidate.kind === kind.toLowerCase())
  const same = ofKind.filter((candidate) => candidate.id === id)
  return same.length > 0 ? same : ofKind.filter((candidate) => candidate.id.toLowerCase() === id.toLowerCase())
}

/** By id or name, as typed; and without the word that says what it is. Either reading counts: both make it ambiguous. */
function isMeantBy(name: string): (spelled: Spelled) => boolean {
  const readings: { spelling: Spelling; kind?: Candidate['kind'] }[] = [{ spelling: spellingOf(name) }]
  for (const [pattern, kind] of kinds) {
    const rest = pattern.exec(name)?.[1]
    if (rest !== undefined) readings.push({ spelling: spellingOf(rest), kind })
  }
  return ({ candidate, spellings }) =>
    readings.some(
      ({ spelling, kind = candidate.kind }) =>
        kind === candidate.kind && spellings.some((each) => isSame(each, spelling)),
    )
}

/** fewer letters stand in too many names */
const leastPart = 3

/** What is a part of a name may well mean it. */
function farFrom(typed: Spelling, spelling: Spelling): number {
  const isPart = typed.sound.length >= leastPart && spelling.sound.includes(typed.sound)
  return isPart ? 1 : distance(typed, spelling)
}

function nearestTo(name: string, spelled: readonly Spelled[]): Candidate[] {
  const typed = spellingOf(name)
  const maxDistance = Math.max(2, Math.floor(typed.sound.length / 2))
  return spelled
    .map(({ candidate, spellings }) => ({
      candidate,
      far: Math.min(...spellings.map((spelling) => farFrom(typed, spelling))),
    }))
    .filter(({ far }) => far <= maxDistance)
    .sort((a, b) => a.far - b.far)
    .slice(0, maxNearest)
    .map(({ candidate }) => candidate)
}
