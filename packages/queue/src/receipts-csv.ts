/** The receipts of a message as CSV (RFC 4180), a line for each recipient and channel; one without, while no channel has begun. */
import type { ReceiptView } from '@courier-fleet/api-types'

const columns = ['ordinal', 'person', 'name', 'channel', 'state', 'at', 'provider_id', 'reason', 'detail']

/** A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '')
  const harmless = typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (cells: readonly (string | number | undefined)[]) => `${cells.map(cell).join(',')}\r\n`

export async function* receiptsCsv(pages: AsyncIterable<readonly ReceiptView[]>): AsyncGenerator<string> {
  yield line(columns)
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
