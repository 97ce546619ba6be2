/** The receipts of a message as CSV, a line for each recipient and channel; one without, while no channel has begun. */
import type { ReceiptView } from '@courier-fleet/api-types'
import { byteOrderMark, type Cell, csvLine, type Separator } from '@courier-fleet/api-types/csv'
import { earlierWords, limitWords } from '@courier-fleet/words'

const columns = [
  'ordinal',
  'person',
  'name',
  'channel',
  'state',
  'at',
  'provider_id',
  'reason',
  'detail',
  'waiting_at',
  'waiting_cause',
  'told_by_voice',
  'told_at',
  'confirmed_by',
  'confirmed_at',
  'sent_with',
]

export async function* receiptsCsv(
  pages: AsyncIterable<readonly ReceiptView[]>,
  separator: Separator,
): AsyncGenerator<string> {
  const line = (cells: readonly Cell[]) => csvLine(cells, separator)
  yield `${byteOrderMark}${line(columns)}`
  for await (const rows of pages) {
    yield rows
      .flatMap(({ ordinal, person, name, channels, toldByVoice: told, confirmed }) => {
        const said = [told?.by, told?.at, confirmed?.channel, confirmed?.at]
        const perChannel = Object.entries(channels)
        if (perChannel.length === 0) return [line([ordinal, person, name, ...Array(8).fill(''), ...said, ''])]
        return perChannel.map(([channel, receipt]) => {
          const { state, at, providerId, reason, detail, limit, waiting, sentWith } = receipt
          const own = limit ? limitWords('en', reason, limit) : detail
          const why = receipt.earlier ? [earlierWords('en', channel, receipt), own].filter(Boolean).join('; ') : own
          const what = [channel, state, at, providerId, reason, why, waiting?.at, waiting?.cause]
          return line([ordinal, person, name, ...what, ...said, sentWith])
        })
      })
      .join('')
  }
}
