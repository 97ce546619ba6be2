import { Problem } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Link } from '../contact-scripts.ts'
import type { PersonInFull } from '../directory.ts'
import { checkFields } from '../fields.ts'
import { removedPerson } from '../people.ts'
import { samePerson } from '../person-record.ts'
import type { RosterPerson } from './roster-line.ts'
import type { RosterState } from './roster-state.ts'

/** What one accepted line has to change. */
export interface RosterChange {
  readonly status: 'created' | 'updated' | 'unchanged'
  readonly person: PersonInFull
  /** as they were; absent of somebody new */
  readonly before: PersonInFull | undefined
  /** their role so far, when it changes */
  readonly formerRole: PersonInFull['role'] | undefined
  readonly links: readonly Link[]
  /** addresses the links replace */
  readonly released: readonly Link[]
  /** groups the person is not in yet */
  readonly joins: readonly string[]
}

export interface NewPersonDefaults {
  readonly timeZone: string
  readonly language: string
}

/**
 * Decides on one line and remembers in `state` which addresses it moves. An address the person has already is left as
 * it is, blocked or not: importing again is not linking again.
 * @throws Problem 422 `address-taken` when a contact is another person's, `namesake` when only the name says who it is and the id made from it is another's, 409 `removed-person`; nothing is remembered then
 */
export function decideChange(line: RosterPerson, state: RosterState, defaults: NewPersonDefaults): RosterChange {
  const before = state.people.get(line.id)
  if (!before && state.removed.has(line.id)) throw removedPerson(line.id)
  if (before && line.isNamedOnly && before.name !== line.name) {
    throw new Problem(422, 'namesake', `${line.id} is ${before.name}: a column id has to say who is meant`, 'name')
  }
  const person: PersonInFull = {
    id: line.id,
    name: line.name,
    role: line.role,
    timeZone: line.timeZone ?? before?.timeZone ?? defaults.timeZone,
    language: line.language ?? before?.language ?? defaults.language,
    fields: checkFields({ ...before?.fields, ...line.fields }, 'fields'),
  }
  const links: Link[] = []
  const released: Link[] = []
  for (const [channel, address] of line.addresses) {
    const owner = state.ownerOf(channel, address)
    if (owner !== undefined && owner !== line.id) {
      throw new Problem(
        422,
        'address-taken',
        `${address} belongs to ${owner}`,
        findChannel(channel)?.address.column ?? channel,
      )
    }
    const former = state.addressOf(channel, line.id)
    if (former === address) continue
    links.push({ channel, person: line.id, address })
    if (former !== undefined) released.push({ channel, person: line.id, address: former })
  }
  for (const { channel, address } of links) state.move(channel, line.id, address)

  const joins = line.groups.map(({ group }) => group).filter((group) => !state.isMember(group, line.id))
  const same = before && samePerson(before, person) && links.length === 0 && joins.length === 0
  return {
    status: before ? (same ? 'unchanged' : 'updated') : 'created',
    person,
    before,
    formerRole: before && before.role !== person.role ? before.role : undefined,
    links,
    released,
    joins,
  }
}
