import {
  type ConfirmationFilter,
  confirmationFilters,
  type ReceiptState,
  type ReceiptView,
  receiptStates,
} from '@courier-fleet/api-types'
import { byteOrderMark, csvLine, type Separator, separators } from '@courier-fleet/api-types/csv'
import { channelName, limitWords, wholeReceiptWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { type Look, lookOf } from '../style.ts'
import { table } from '../table.ts'

export const receipts = defineCommand({
  name: 'receipts',
  summary: 'What has become of each person, since when, and why',
  parameters: [{ name: 'key' }],
  options: {
    channel: { type: 'string', value: 'CHANNEL', about: 'on this channel only' },
    state: { type: 'string', value: 'STATE', choices: receiptStates, about: 'only people with such a receipt' },
    confirmed: {
      type: 'string',
      value: 'WHO',
      choices: confirmationFilters,
      about: 'only people who have confirmed it (yes), or who have not (no)',
    },
    limit: { type: 'string', value: 'COUNT', about: 'so many people at most; 100 when absent, all of them with --csv' },
    csv: { type: 'boolean', about: 'the same for a spreadsheet' },
    separator: {
      type: 'string',
      value: 'WHICH',
      choices: Object.keys(separators),
      about: 'of --csv; comma when absent, semicolon where the comma is for decimals',
    },
  },
  exits: { 0: 'told' },
  async execute({
    values: { channel, state, confirmed, limit, csv, separator = 'comma' },
    parameters,
    answer,
    client,
    terminal,
    look,
  }) {
    const [key] = parameters as [string]
    const max = limit === undefined && csv ? Number.POSITIVE_INFINITY : countOf('limit', limit ?? '100')
    const filter = {
      ...(channel ? { channel } : {}),
      ...(state ? { state: state as ReceiptState } : {}),
      ...(confirmed ? { confirmed: confirmed as ConfirmationFilter } : {}),
    }
    const found = atMost(max, client().allReceipts(key, filter))
    if (csv) {
      const line = (cells: (string | undefined)[]) => csvLine(cells, separator as Separator).trimEnd()
      terminal.out(byteOrderMark + line(columns))
      for await (const row of found) for (const cells of cellsOf(row, csvMoment)) terminal.out(line(cells))
      return 0
    }
    const rows: ReceiptView[] = []
    for await (const row of found) rows.push(row)
    answer({ receipts: rows }, () =>
      rows.length === 0 ? 'Nobody.' : table([columns, ...rows.flatMap((row) => cellsOf(row, look.moment))]),
    )
    return 0
  },
})

async function* atMost<T>(max: number, all: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0
  for await (const each of all) {
    yield each
    if (++count === max) return
  }
}

/** for programs, whatever the terminal */
const csvMoment = lookOf({ env: {} }).moment

const columns = ['person', 'name', 'channel', 'since', 'what', 'told by', 'detail', 'confirmed']

const cellsOf = (
  { person, name, channels, confirmed }: ReceiptView,
  moment: Look['moment'],
): (string | undefined)[][] =>
  Object.entries(channels).map(([leg, receipt]) => [
    person,
    name,
    channelName('en', leg),
    receipt.at && moment(receipt.at),
    wholeReceiptWords('en', leg, receipt, moment),
    receipt.toldBy,
    receipt.limit ? limitWords('en', receipt.reason, receipt.limit, moment) : receipt.detail,
    confirmed && moment(confirmed.at),
  ])
