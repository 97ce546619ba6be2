import { Problem } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import { cellsOf, type Delimiter } from './roster-cells.ts'
import type { Line } from './roster-text.ts'

const requiredColumns = ['name', 'role'] as const
const otherColumns = ['id', 'timezone', 'language', 'groups', 'owns'] as const
export const columns: readonly string[] = [
  ...requiredColumns,
  ...otherColumns,
  ...channels.map(({ address }) => address.column),
]

export interface Header {
  readonly delimiter: Delimiter
  readonly width: number
  /** as they are written */
  readonly names: readonly string[]
  /** where a column stands in each line */
  readonly positions: ReadonlyMap<string, number>
  /** columns that mean nothing here, as they are written */
  readonly ignored: readonly string[]
}

/** @throws Problem 422 `bad-csv` naming the missing or doubled columns */
export function readHeader(line: Line): Header {
  const delimiter = delimiterOf(line.text)
  const [cells] = cellsOf([line], delimiter)
  if (!cells) throw new Problem(422, 'bad-csv', `a quote is left open in the header, line ${line.line}`)
  const positions = new Map<string, number>()
  const ignored: string[] = []
  for (const [position, cell] of cells.entries()) {
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
  return { delimiter, width: cells.length, names: cells, positions, ignored }
}

/** Whichever splits the header into most cells. */
function delimiterOf(header: string): Delimiter {
  const candidates: Delimiter[] = [',', ';', '\t']
  const count = (delimiter: Delimiter) => header.split(delimiter).length
  return candidates.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
}
