/** Lines of CSV (RFC 4180). A file begins with a byte order mark, or a spreadsheet would take UTF-8 for something else. */

/** Spreadsheets split at a comma or, where the comma is for decimals, at a semicolon. */
export const separators = { comma: ',', semicolon: ';' } as const
export type Separator = keyof typeof separators

export type Cell = string | number | undefined

export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet may see the beginning of a cell (at the beginning, or behind whatever it may split or quote at, for its
 * separator need not be the one asked for), and there the sign that begins a formula.
 */
const formulaAhead = /(^|[,;|"'\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  // an apostrophe makes a text of it
  const harmless = (value ?? '').replace(formulaAhead, "$1$2'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const csvLine = (cells: readonly Cell[], separator: Separator) =>
  `${cells.map(cell).join(separators[separator])}\r\n`
