import { maxFields, Problem } from '@courier-fleet/api-types'
import { writtenChannels } from '@courier-fleet/channels'
import { columnsOf } from '@courier-fleet/channels/roster-columns'
import { checkFieldName } from '../fields.ts'
import { cellsOf, type Delimiter } from './roster-cells.ts'
import type { Line } from './roster-text.ts'

const requiredColumns = ['name', 'role'] as const
const otherColumns = ['id', 'timezone', 'language', 'groups', 'owns'] as const
export const columns: readonly string[] = [...requiredColumns, ...otherColumns, ...writtenChannels.flatMap(columnsOf)]

export interface Header {
  readonly delimiter: Delimiter
  readonly width: number
  /** as they are written */
  readonly names: readonly string[]
  /** where a column stands in each line */
  readonly positions: ReadonlyMap<string, number>
  /** fields of people, by their names: where each stands in each line */
  readonly fields: ReadonlyMap<string, number>
  /** columns that mean nothing here, as they are written */
  readonly ignored: readonly string[]
}

/** @throws Problem 422 `bad-csv` naming the missing or doubled columns */
export function readHeader(line: Line): Header {
  const delimiter = delimiterOf(line.text)
  const [cells] = cellsOf([line], delimiter)
  if (!cells) throw new Problem(422, 'bad-csv', `a quote is left open in the header, line ${line.line}`)
  const positions = new Map<string, number>()
  const fields = new Map<string, number>()
  const ignored: string[] = []
  for (const [position, cell] of cells.entries()) {
    const field = /^field:(.*)$/i.exec(cell)?.[1]
    if (field !== undefined) {
      addField(fields, field, position)
      continue
    }
    const column = columns.find((name) => name === cell.toLowerCase().replace(/[\s_-]/g, ''))
    if (!column) {
      if (cell !== '') ignored.push(cell)
    } else if (positions.has(column)) {
      throw new Problem(422, 'bad-csv', `the header names the column ${column} twice`, column)
    } else {
      positions.set(column, position)
    }
  }
  const missing = requiredColumns.filter((column) => !positions.has(column))
  if (missing.length > 0) {
    const found = `line ${line.line} reads "${line.text.slice(0, 80)}"`
    throw new Problem(422, 'bad-csv', `the header lacks ${missing.join(', ')}: ${found}`, missing[0])
  }
  return { delimiter, width: cells.length, names: cells, positions, fields, ignored }
}

/** @throws Problem 422 `bad-csv` */
function addField(fields: Map<string, number>, text: string, position: number): void {
  const column = columnOfField(text.trim())
  const name = asBadCsv(() => checkFieldName(text, column))
  if (fields.has(name)) throw new Problem(422, 'bad-csv', `the header names the column ${column} twice`, column)
  if (fields.size === maxFields)
    throw new Problem(422, 'bad-csv', `the header names more than ${maxFields} fields`, column)
  fields.set(name, position)
}

export const columnOfField = (name: string): string => `field:${name}`

function asBadCsv<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(422, 'bad-csv', `the column ${error.field}: ${error.message}`, error.field)
  }
}

/** Whichever splits the header into most cells. */
function delimiterOf(header: string): Delimiter {
  const candidates: Delimiter[] = [',', ';', '\t']
  const count = (delimiter: Delimiter) => header.split(delimiter).length
  return candidates.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
}
