/** Columns of text, as wide as their widest cell. */
import stringWidth from 'string-width'

interface TableOptions {
  /** the first column whose cells stand at the right; none when absent */
  readonly numbersFrom?: number
}

export function table(rows: readonly (readonly unknown[])[], { numbersFrom = Infinity }: TableOptions = {}): string {
  const cells = rows.map((row) => row.map((cell) => plain(String(cell ?? ''))))
  const columns = Math.max(0, ...cells.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  )
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] as number) - stringWidth(cell))
        return column < numbersFrom ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd()
  return cells.map(lineOf).join('\n')
}

const control = /\p{Cc}+/gu

/** In one line, and nothing in it that a terminal would obey. */
export function plain(text: string): string {
  return text.replace(control, ' ')
}

export function excerpt(text: string, length: number): string {
  const line = plain(text).trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
