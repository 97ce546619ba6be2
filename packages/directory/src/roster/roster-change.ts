import { Problem } from '@courier-fleet/api-types'
import type { Addition } from '../contact-scripts.ts'
import type { PersonInFull } from '../directory.ts'
import { checkFields } from '../fields.ts'
import { spelled } from '../ids-of-names.ts'
import { removedPerson } from '../people.ts'
import { samePerson } from '../person-record.ts'
import { placeAddresses, withAdditions } from './placed-addresses.ts'
import type { RosterPerson, WrittenAddress } from './roster-line.ts'
import type { RosterState } from './roster-state.ts'

/** What one person gets on one channel. */
export interface ContactsChange {
  readonly channel: string
  readonly person: string
  /** what they have there, in order */
  readonly before: readonly string[]
  readonly additions: readonly Addition[]
}

/** What one accepted line has to change. */
export interface RosterChange {
  readonly status: 'created' | 'updated' | 'unchanged'
  readonly person: PersonInFull
  /** as they were; absent of somebody new */
  readonly before: PersonInFull | undefined
  /** their role so far, when it changes */
  readonly formerRole: PersonInFull['role'] | undefined
  /** on each channel where they get any */
  readonly contacts: readonly ContactsChange[]
  /** groups the person is not in yet */
  readonly joins: readonly string[]
}

/** An id that was made of what is written belongs to somebody else. */
export class TakenId extends Problem {
  readonly meets: Pick<PersonInFull, 'id' | 'name'>

  constructor(code: string, detail: string, field: string, { id, name }: PersonInFull) {
    super(422, code, detail, field)
    this.meets = { id, name }
  }
}

export interface NewPersonDefaults {
  readonly timeZone: string
  readonly language: string
}

/**
 * Decides on one line and remembers in `state` which addresses it moves. An address the person has already is left as
 * it is, blocked or not: importing again is not linking again.
 * @throws Problem 422 `address-taken` when a contact is another person's, `namesake` or `made-id-taken` when the id made of what is written is another's, 409 `removed-person`; nothing is remembered then
 */
export function decideChange(line: RosterPerson, state: RosterState, defaults: NewPersonDefaults): RosterChange {
  const before = state.people.get(line.id)
  if (!before && state.removed.has(line.id)) throw removedPerson(line.id)
  if (before) requireSame(line, before)
  const person: PersonInFull = {
    id: line.id,
    name: line.name,
    role: line.role,
    timeZone: line.timeZone ?? before?.timeZone ?? defaults.timeZone,
    language: line.language ?? before?.language ?? defaults.language,
    fields: checkFields({ ...before?.fields, ...line.fields }, 'fields'),
  }
  const contacts: ContactsChange[] = []
  for (const [channel, written] of line.addresses) {
    requireFree(state, channel, line.id, written)
    const now = state.addressesOf(channel, line.id)
    const additions = placeAddresses(now, written)
    if (additions.length > 0) contacts.push({ channel, person: line.id, before: now, additions })
  }
  for (const change of contacts) state.move(change.channel, line.id, addressesAfter(change))

  const joins = line.groups.map(({ group }) => group).filter((group) => !state.isMember(group, line.id))
  const same = before && samePerson(before, person) && contacts.length === 0 && joins.length === 0
  return {
    status: before ? (same ? 'unchanged' : 'updated') : 'created',
    person,
    before,
    formerRole: before && before.role !== person.role ? before.role : undefined,
    contacts,
    joins,
  }
}

export const addressesAfter = ({ before, additions }: ContactsChange): string[] => withAdditions(before, additions)

/**
 * Whoever has an id that was only made of what is written may be another, whose own is written otherwise: by their names alone they are told
 * apart. A name may be corrected, so where ids are written it is another only when no word of it stays.
 */
function requireSame({ id, name, isNamedOnly, madeOf }: RosterPerson, before: PersonInFull): void {
  if (before.name === name) return
  if (isNamedOnly) {
    const detail = `${id} is ${before.name}: a column id has to say who is meant`
    throw new TakenId('namesake', detail, 'name', before)
  }
  if (madeOf === undefined || wordsOf(name).some((word) => wordsOf(before.name).includes(word))) return
  const detail = `"${madeOf}" becomes ${id}, which is ${before.name}: write ${id} if they are meant, or another id`
  throw new TakenId('made-id-taken', detail, 'id', before)
}

/** initials are anybody's */
const wordsOf = (name: string): readonly string[] => spelled(name, ' ').match(/\p{L}{2,}/gu) ?? []

/** @throws Problem 422 `address-taken` */
function requireFree(state: RosterState, channel: string, person: string, written: readonly WrittenAddress[]): void {
  for (const { address, column } of written) {
    const owner = state.ownerOf(channel, address)
    if (owner !== undefined && owner !== person)
      throw new Problem(422, 'address-taken', `${address} belongs to ${owner}`, column)
  }
}
