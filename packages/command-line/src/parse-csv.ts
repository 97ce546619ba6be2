/** Rows of CSV (RFC 4180), split at commas or, where the first line has more of them, at semicolons. */
import { byteOrderMark } from '@courier-fleet/api-types/csv'
import { UsageError } from './usage-error.ts'

/** @returns its rows without those that are empty. @throws UsageError for a quote that is never closed, or goes on behind it */
export function parseCsv(text: string): string[][] {
  const content = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
  const separator = separatorIn(content)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  // one cell a time, up to what ends it
  for (; at <= content.length; at += 1) {
    const { cell, end } = content[at] === '"' ? quoted(content, at) : bare(content, at, separator)
    row.push(cell)
    at = end
    if (content[at] === separator) continue
    if (content[at] === '\r' && content[at + 1] === '\n') at += 1
    else if (at < content.length && content[at] !== '\n' && content[at] !== '\r')
      throw new UsageError('something stands behind a quote in the table')
    rows.push(row)
    row = []
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
}

function separatorIn(content: string): string {
  const [first = ''] = content.split(/\r?\n/, 1)
  return first.split(';').length > first.split(',').length ? ';' : ','
}

interface Cell {
  readonly cell: string
  /** where what ends it stands */
  readonly end: number
}

function bare(content: string, from: number, separator: string): Cell {
  const ends = [separator, '\r', '\n'].map((sign) => content.indexOf(sign, from)).filter((end) => end >= 0)
  const end = Math.min(content.length, ...ends)
  return { cell: content.slice(from, end), end }
}

/** A quote in it stands there twice. */
function quoted(content: string, from: number): Cell {
  for (let at = from + 1; at < content.length; at += 1) {
    if (content[at] !== '"') continue
    if (content[at + 1] === '"') at += 1
    else return { cell: content.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 }
  }
  throw new UsageError('a quote in the table is never closed')
}
