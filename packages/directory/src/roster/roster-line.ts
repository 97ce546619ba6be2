import { Problem, type Role } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import type { CountryCode } from 'libphonenumber-js'
import { normaliseAddress } from '../address.ts'
import { checkId, checkLanguage, checkName, checkRole, checkTimeZone } from '../fields.ts'
import type { Header } from './roster-header.ts'

/** One person as a line of a roster gives them; what a cell leaves empty stays as it is. */
export interface RosterPerson {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly timeZone: string | undefined
  readonly language: string | undefined
  /** channel → address */
  readonly addresses: ReadonlyMap<string, string>
  readonly groups: readonly Place[]
  readonly owns: readonly Owned[]
}

/** A group, and the cohort it belongs to when the line says so (`year-1/ivt-101`). */
interface Place {
  readonly group: string
  readonly cohort: string | undefined
}

interface Owned {
  readonly kind: 'group' | 'cohort'
  readonly id: string
}

type LineReader = (cells: readonly string[] | undefined) => RosterPerson

/** The reader throws a Problem that names the column. */
export function createLineReader(header: Header, country: CountryCode): LineReader {
  const zones = new Set<string>() // asking Intl is slow, and a roster has few

  return (cells) => {
    if (!cells) throw new Problem(422, 'bad-line', 'a quote is left open on this line')
    if (cells.length !== header.width) {
      throw new Problem(422, 'bad-line', `has ${cells.length} cells where the header has ${header.width}`)
    }
    const cell = (column: string) => cells[header.positions.get(column) ?? -1] ?? ''
    return {
      id: checkId(cell('id'), 'id'),
      name: checkName(cell('name'), 'name'),
      role: checkRole(cell('role'), 'role'),
      timeZone: readTimeZone(cell('timezone')),
      language: cell('language') === '' ? undefined : checkLanguage(cell('language'), 'language'),
      addresses: readAddresses(cell),
      groups: listOf(cell('groups')).map(readPlace),
      owns: listOf(cell('owns')).map(readOwned),
    }
  }

  function readTimeZone(text: string): string | undefined {
    if (text === '') return undefined
    if (!zones.has(text)) zones.add(checkTimeZone(text, 'timezone'))
    return text
  }

  function readAddresses(cell: (column: string) => string): Map<string, string> {
    const addresses = new Map<string, string>()
    for (const { name, address } of channels) {
      const text = cell(address.column)
      if (text !== '') addresses.set(name, normaliseAddress(name, text, country, address.column))
    }
    return addresses
  }
}

const listOf = (text: string) =>
  text
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function readPlace(text: string): Place {
  const [first = '', second, ...rest] = text.split('/')
  if (rest.length > 0)
    throw new Problem(422, 'bad-field', `"${text.slice(0, 80)}" is not group or cohort/group`, 'groups')
  if (second === undefined) return { group: checkId(first, 'groups'), cohort: undefined }
  return { group: checkId(second, 'groups'), cohort: checkId(first, 'groups') }
}

function readOwned(text: string): Owned {
  const [, kind, id = ''] = /^(?:(group|cohort):)?(.*)$/.exec(text) ?? []
  return { kind: kind === 'cohort' ? 'cohort' : 'group', id: checkId(id, 'owns') }
}
