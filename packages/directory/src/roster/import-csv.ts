/**
 * Imports a roster: one person a line. The columns are listed in the package's README. An import adds and corrects; whoever
 * is not in the list goes only where that is asked for. An empty cell leaves what is there, and nobody leaves a group.
 */
import { createHash, type Hash } from 'node:crypto'
import { type MadeRole, Problem } from '@courier-fleet/api-types'
import type { Redis } from '@courier-fleet/store'
import type { CountryCode } from 'libphonenumber-js'
import type { Directory, ImportOptions, ImportReport, RoleChange } from '../directory.ts'
import { loadGroupIds } from '../ids-of-names.ts'
import { createImportReport, type SplitLine } from './import-report.ts'
import { createJournal, type Kept, keptOfLine, markUnfinished } from './journal.ts'
import { createLeavers } from './leavers.ts'
import { cellsOf } from './roster-cells.ts'
import { decideChange, type NewPersonDefaults, type RosterChange } from './roster-change.ts'
import { createRosterGroups } from './roster-groups.ts'
import { readHeader } from './roster-header.ts'
import { createLineReader, type RosterPerson } from './roster-line.ts'
import { loadRosterState, type MovedAddresses, type RosterState } from './roster-state.ts'
import { type Line, linesOf, readRoster } from './roster-text.ts'
import { writeChanges } from './write-changes.ts'

/** Lines read, decided and written together; small enough not to hold up the process that imports. */
const chunkSize = 200

interface ImportDeps {
  readonly redis: Redis
  readonly country: CountryCode
  readonly roles: () => readonly MadeRole[]
  readonly defaults: NewPersonDefaults
  readonly people: Pick<Directory, 'listPeople' | 'deletePerson'>
  readonly keptOfLeavers: (ids: readonly string[]) => Promise<ReadonlyMap<string, Kept>>
}

export function createImport(deps: ImportDeps): Directory['importCsv'] {
  return async (csv, options = {}) => {
    const text = await readRoster(csv)
    if (options.dryRun) return importText(deps, text, options, false)
    if (options.leavers && options.version === undefined) throw nobodyHasLooked()
    if (options.version !== undefined) {
      const { version } = await importText(deps, text, { ...options, onProgress: undefined }, false)
      if (version !== options.version) throw stale()
    }
    return importText(deps, text, options, true)
  }
}

async function importText(
  deps: ImportDeps,
  text: string,
  options: ImportOptions,
  writes: boolean,
): Promise<ImportReport> {
  const { redis, country, defaults } = deps
  const { onProgress, changeRoles = justWrite } = options
  const lines = linesOf(text)
  const first = lines.next()
  if (first.done) throw new Problem(422, 'bad-csv', 'the file is empty')
  const header = readHeader(first.value)
  const groupIds = await loadGroupIds(redis)
  const readLine = createLineReader(header, { country, groupIds, roles: deps.roles() })
  const groups = createRosterGroups(redis, groupIds)
  const seen = new Map<string, Line>()
  const moved: MovedAddresses | undefined = writes ? undefined : new Map()
  const report = createImportReport(header, options.allLines ?? false)
  const leavers = createLeavers(deps, options)
  const journal = createJournal(redis)
  const version = createHash('sha256').update(text)
  for (const column of header.ignored) report.ignoredColumn(first.value.line, column)

  if (writes) await markUnfinished(redis)
  let done = 0
  for (const chunk of chunksOf(lines)) {
    await importChunk(chunk)
    done += chunk.length
    onProgress?.(done)
  }
  const gone = await leavers.find()
  noteAll(version, gone, groups.made)
  if (writes) await leavers.remove(gone, (kept) => journal.keep(kept))
  const result = report.result({ groups: groups.made, leavers: gone })
  if (!writes) return { ...result, version: version.digest('base64url') }
  const id = await journal.finish(result)
  return id === undefined ? result : { ...result, id }

  async function importChunk(chunk: readonly Line[]): Promise<void> {
    const cells = cellsOf(chunk, header.delimiter)
    const split = chunk.map(({ line }, index): SplitLine => ({ line, cells: cells[index] }))
    const people = split.map((line) => report.attempt(line, () => readLine(line.cells)))
    const readable = people.filter((person) => person !== undefined)
    const [state] = await Promise.all([loadRosterState(redis, readable, moved), groups.load(readable)])

    const changes: RosterChange[] = []
    const kept = new Map<string, Kept>()
    for (const [index, line] of chunk.entries()) {
      const person = people[index]
      const change = person && decide(person, line, split[index] as SplitLine, { state, kept })
      leavers.note(person, split[index]?.cells?.[header.positions.get('id') ?? -1])
      if (change && change.status !== 'unchanged') changes.push(change)
    }
    noteAll(version, changes)
    if (!writes) return
    await journal.keep(kept, groups.unwritten())
    await changeRoles(changes.flatMap(roleChangeOf), async () => {
      await groups.write()
      await writeChanges(redis, changes)
    })
  }

  function decide(
    person: RosterPerson,
    line: Line,
    split: SplitLine,
    { state, kept }: { readonly state: RosterState; readonly kept: Map<string, Kept> },
  ): RosterChange | undefined {
    const earlier = seen.get(person.id)
    if (earlier) {
      if (earlier.text === line.text) report.repeated(line.line, person.id, earlier.line)
      else report.reject(split, [repeatedWithOtherData(earlier.line, person)])
      return undefined
    }
    const change = report.attempt(split, () => decideChange(person, state, defaults))
    if (!change) return undefined
    seen.set(person.id, line)
    const { isNew, owns } = groups.add(person)
    const was = keptOfLine(change, person, state, owns)
    if (was) kept.set(person.id, was)
    report.accept(line.line, person, change.status === 'unchanged' && isNew ? 'updated' : change.status)
    return change
  }
}

const nobodyHasLooked = () =>
  new Problem(
    428,
    'version-needed',
    'whom a list removes is looked at first: import with dryRun=true, and name its version',
  )

const stale = () =>
  new Problem(
    412,
    'stale-roster',
    'what this list would change is not what was looked at: somebody has changed it since',
  )

/** What is written, and what it is instead of: another where any of it is another. */
function noteAll(version: Hash, ...facts: readonly unknown[]): void {
  for (const fact of facts) version.update(JSON.stringify(fact))
}

const justWrite = (_changes: readonly RoleChange[], write: () => Promise<void>) => write()

/** A student who is new has no power that anybody need be told of. */
function roleChangeOf({ status, person, formerRole }: RosterChange): RoleChange[] {
  const isTold = formerRole !== undefined || (status === 'created' && person.role !== 'student')
  return isTold ? [{ person: person.id, before: formerRole, after: person.role }] : []
}

const repeatedWithOtherData = (line: number, { isNamedOnly }: RosterPerson) =>
  new Problem(422, 'repeated-person', `is on line ${line} too, with other data`, isNamedOnly ? 'name' : 'id')

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
