import { parse } from 'csv-parse/sync'
import type { Line } from './roster-text.ts'

export type Delimiter = ',' | ';' | '\t'

/** The cells of each line, trimmed; undefined where the quotes of a line do not match. */
export function cellsOf(lines: readonly Line[], delimiter: Delimiter): (string[] | undefined)[] {
  const together = parseAll(lines, delimiter)
  // a quote left open swallows the lines after it: then each line has to stand for itself
  return together.length === lines.length ? together : lines.map((line) => parseAll([line], delimiter)[0])
}

function parseAll(lines: readonly Line[], delimiter: Delimiter): string[][] {
  const text = lines.map((line) => line.text).join('\n')
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
    })
    return rows.map((row) => row.map((cell) => cell.trim()))
  } catch {
    return []
  }
}
