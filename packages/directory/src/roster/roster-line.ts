import { idPattern, type MadeRole, Problem } from '@courier-fleet/api-types'
import { writtenChannels } from '@courier-fleet/channels'
import { columnsOf } from '@courier-fleet/channels/roster-columns'
import type { CountryCode } from 'libphonenumber-js'
import { normaliseAddress } from '../address.ts'
import { checkFieldValue, checkId, checkLanguage, checkName, checkRole, checkTimeZone } from '../fields.ts'
import type { GroupIds } from '../ids-of-names.ts'
import { idOfName } from '../ids-of-names.ts'
import { columnOfField, type Header } from './roster-header.ts'

/** One person as a line of a roster gives them; what a cell leaves empty stays as it is. */
export interface RosterPerson {
  readonly id: string
  /** the list has no column of ids, and this one was made from the name */
  readonly isNamedOnly: boolean
  /** as it is written, where it is no id and this one was made of it */
  readonly madeOf: string | undefined
  readonly name: string
  readonly role: string
  readonly timeZone: string | undefined
  readonly language: string | undefined
  /** those that have a value in this line */
  readonly fields: Readonly<Record<string, string>>
  /** by channel, those that the line has, each once */
  readonly addresses: ReadonlyMap<string, readonly WrittenAddress[]>
  readonly groups: readonly Place[]
  readonly owns: readonly Owned[]
}

/** In which of the channel's columns it is written: the how manieth is its place among the contacts of the person there, from 0. */
export interface WrittenAddress {
  readonly address: string
  readonly place: number
  readonly column: string
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

/** Reads, or notes what is wrong. @param missing stands for what cannot be read, until the line is refused for it */
type Ask = <T>(read: () => T, missing: T) => T

type LineReader = (cells: readonly string[] | undefined) => RosterPerson

/** All that is wrong with one line; each names its column. */
export class LineProblems extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super('a line of a roster')
    this.problems = problems
  }
}

interface KnownThings {
  readonly country: CountryCode
  readonly groupIds: GroupIds
  /** roles that operators have made */
  readonly roles: readonly MadeRole[]
}

/** The reader throws LineProblems. */
export function createLineReader(header: Header, { country, groupIds, roles }: KnownThings): LineReader {
  const zones = new Set<string>() // asking Intl is slow, and a roster has few

  return (cells) => {
    const problems: Problem[] = []
    const ask: Ask = (read, missing) => {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        problems.push(error)
        return missing
      }
    }
    if (cells?.length !== header.width) throw new LineProblems([wrongWidth(cells, header.width)])
    const cell = (column: string) => cells[header.positions.get(column) ?? -1] ?? ''
    const written = header.positions.has('id') ? cell('id') : cell('name')
    const person: RosterPerson = {
      id: ask(() => readId(written), ''),
      isNamedOnly: !header.positions.has('id'),
      madeOf: idPattern.test(written) ? undefined : written,
      name: ask(() => checkName(cell('name'), 'name'), ''),
      role: ask(() => checkRole(cell('role'), 'role', roles), 'student'),
      timeZone: ask(() => readTimeZone(cell('timezone')), undefined),
      language: ask(
        () => (cell('language') === '' ? undefined : checkLanguage(cell('language'), 'language')),
        undefined,
      ),
      fields: Object.fromEntries(
        [...header.fields].flatMap(([name, position]) => {
          const text = cells[position] ?? ''
          return text === '' ? [] : [[name, ask(() => checkFieldValue(text, columnOfField(name)), '')]]
        }),
      ),
      addresses: new Map(
        writtenChannels.flatMap((channel) => {
          const written = readAddresses(channel, { cell, country, ask })
          return written.length === 0 ? [] : [[channel.name, written] as const]
        }),
      ),
      groups: ask(() => listOf(cell('groups')).map((text) => readPlace(text, groupIds)), []),
      owns: ask(() => listOf(cell('owns')).map((text) => readOwned(text, groupIds)), []),
    }
    if (problems.length > 0) throw new LineProblems(problems)
    return person
  }

  function readTimeZone(text: string): string | undefined {
    if (text === '') return undefined
    if (!zones.has(text)) zones.add(checkTimeZone(text, 'timezone'))
    return text
  }
}

function wrongWidth(cells: readonly string[] | undefined, width: number): Problem {
  if (!cells) return new Problem(422, 'bad-line', 'a quote is left open on this line')
  return new Problem(422, 'bad-line', `has ${cells.length} cells where the header has ${width}`)
}

/** An address that is written twice is the person's once. */
function readAddresses(
  channel: (typeof writtenChannels)[number],
  { cell, country, ask }: { cell: (column: string) => string; country: CountryCode; ask: Ask },
): WrittenAddress[] {
  const found = new Map<string, WrittenAddress>()
  for (const [place, column] of columnsOf(channel).entries()) {
    const text = cell(column)
    const address = text === '' ? '' : ask(() => normaliseAddress(channel.name, text, country, column), '')
    if (address !== '' && !found.has(address)) found.set(address, { address, place, column })
  }
  return [...found.values()]
}

/** What is no id, such as a number with Cyrillic letters in it, has one made of it. */
const readId = (text: string) => checkId(idPattern.test(text) ? text : (idOfName(text) ?? text), 'id')

const listOf = (text: string) =>
  text
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function readPlace(text: string, ids: GroupIds): Place {
  const [first = '', second, ...rest] = text.split('/').map((part) => part.trim())
  if (rest.length > 0)
    throw new Problem(422, 'bad-field', `"${text.slice(0, 80)}" is not group or cohort/group`, 'groups')
  if (second === undefined) return { group: ids.idOf('group', first, 'groups'), cohort: undefined }
  return { group: ids.idOf('group', second, 'groups'), cohort: ids.idOf('cohort', first, 'groups') }
}

function readOwned(text: string, ids: GroupIds): Owned {
  const [, named, name = ''] = /^(?:(group|cohort):)?(.*)$/.exec(text) ?? []
  const kind = named === 'cohort' ? 'cohort' : 'group'
  return { kind, id: ids.idOf(kind, name.trim(), 'owns') }
}
