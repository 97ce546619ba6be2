/**
 * Imports a roster: one person a line. The columns are listed in the package's README. An import adds and corrects, it
 * never takes away: an empty cell leaves what is there, and nobody leaves a group.
 */
import { Problem } from '@courier-fleet/api-types'
import type { Redis } from '@courier-fleet/store'
import type { CountryCode } from 'libphonenumber-js'
import type { Directory, RoleChange } from '../directory.ts'
import { createImportReport } from './import-report.ts'
import { cellsOf } from './roster-cells.ts'
import { decideChange, type NewPersonDefaults, type RosterChange } from './roster-change.ts'
import { createRosterGroups } from './roster-groups.ts'
import { readHeader } from './roster-header.ts'
import { createLineReader, type RosterPerson } from './roster-line.ts'
import { loadRosterState, type RosterState } from './roster-state.ts'
import { type Line, linesOf, readRoster } from './roster-text.ts'
import { writeChanges } from './write-changes.ts'

/** Lines read, decided and written together; small enough not to hold up the process that imports. */
const chunkSize = 200

interface ImportDeps {
  readonly redis: Redis
  readonly country: CountryCode
  readonly defaults: NewPersonDefaults
}

export function createImport({ redis, country, defaults }: ImportDeps): Directory['importCsv'] {
  return async (csv, { onProgress, changeRoles = justWrite, allLines = false } = {}) => {
    const lines = linesOf(await readRoster(csv))
    const first = lines.next()
    if (first.done) throw new Problem(422, 'bad-csv', 'the file is empty')
    const header = readHeader(first.value)
    const readLine = createLineReader(header, country)
    const groups = createRosterGroups(redis)
    const seen = new Map<string, Line>()
    const idIn = (cells?: readonly string[]) => cells?.[header.positions.get('id') ?? -1]?.slice(0, 64)
    const report = createImportReport(allLines)
    for (const column of header.ignored) report.ignoredColumn(first.value.line, column)

    let done = 0
    for (const chunk of chunksOf(lines)) {
      await importChunk(chunk)
      done += chunk.length
      onProgress?.(done)
    }
    return report.result()

    async function importChunk(chunk: readonly Line[]): Promise<void> {
      const cells = cellsOf(chunk, header.delimiter)
      const people = chunk.map((line, index) =>
        report.attempt(line.line, () => readLine(cells[index]), idIn(cells[index])),
      )
      const readable = people.filter((person) => person !== undefined)
      const [state] = await Promise.all([loadRosterState(redis, readable), groups.load(readable)])

      const changes: RosterChange[] = []
      for (const [index, line] of chunk.entries()) {
        const person = people[index]
        const change = person && decide(person, line, state)
        if (change && change.status !== 'unchanged') changes.push(change)
      }
      await changeRoles(changes.flatMap(roleChangeOf), async () => {
        await groups.write()
        await writeChanges(redis, changes)
      })
    }

    function decide(person: RosterPerson, line: Line, state: RosterState): RosterChange | undefined {
      const earlier = seen.get(person.id)
      if (earlier) {
        if (earlier.text === line.text) report.repeated(line.line, person.id, earlier.line)
        else report.reject(line.line, repeatedWithOtherData(earlier.line), person.id)
        return undefined
      }
      const change = report.attempt(line.line, () => decideChange(person, state, defaults), person.id)
      if (!change) return undefined
      seen.set(person.id, line)
      const newGroups = groups.add(person)
      report.accept(line.line, person.id, change.status === 'unchanged' && newGroups ? 'updated' : change.status)
      return change
    }
  }
}

const justWrite = (_changes: readonly RoleChange[], write: () => Promise<void>) => write()

/** A student who is new has no power that anybody need be told of. */
function roleChangeOf({ status, person, formerRole }: RosterChange): RoleChange[] {
  const isTold = formerRole !== undefined || (status === 'created' && person.role !== 'student')
  return isTold ? [{ person: person.id, before: formerRole, after: person.role }] : []
}

const repeatedWithOtherData = (line: number) =>
  new Problem(422, 'repeated-person', `is on line ${line} too, with other data`, 'id')

function* chunksOf(lines: Iterable<Line>): Generator<Line[]> {
  let chunk: Line[] = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < chunkSize) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
