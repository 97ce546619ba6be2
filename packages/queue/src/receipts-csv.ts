/**
 * The receipts of a message as CSV (RFC 4180), a line for each recipient and channel; one without, while no channel has begun.
 * It begins with a byte order mark, or a spreadsheet would take UTF-8 for something else.
 */
import type { ReceiptView } from '@courier-fleet/api-types'

/** Spreadsheets split at a comma or, where the comma is for decimals, at a semicolon. */
export const separators = { comma: ',', semicolon: ';' } as const
export type Separator = keyof typeof separators

type Cell = string | number | undefined

const columns = ['ordinal', 'person', 'name', 'channel', 'state', 'at', 'provider_id', 'reason', 'detail']

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

export async function* receiptsCsv(
  pages: AsyncIterable<readonly ReceiptView[]>,
  separator: Separator,
): AsyncGenerator<string> {
  const line = (cells: readonly Cell[]) => `${cells.map(cell).join(separators[separator])}\r\n`
  yield `\uFEFF${line(columns)}`
  for await (const rows of pages) {
    yield rows
      .flatMap(({ ordinal, person, name, channels }) => {
        const perChannel = Object.entries(channels)
        if (perChannel.length === 0) return [line([ordinal, person, name, '', '', '', '', '', ''])]
        return perChannel.map(([channel, { state, at, providerId, reason, detail }]) =>
          line([ordinal, person, name, channel, state, at, providerId, reason, detail]),
        )
      })
      .join('')
  }
}
