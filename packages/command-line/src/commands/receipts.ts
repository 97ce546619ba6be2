import { type ReceiptState, type ReceiptView, receiptStates } from '@courier-fleet/api-types'
import { channelName, limitWords, receiptWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { table } from '../table.ts'

export const receipts = defineCommand({
  name: 'receipts',
  summary: 'What has become of each person, since when, and why',
  parameters: [{ name: 'key' }],
  options: {
    channel: { type: 'string', value: 'CHANNEL', about: 'on this channel only' },
    state: { type: 'string', value: 'STATE', choices: receiptStates, about: 'only people with such a receipt' },
    limit: { type: 'string', value: 'COUNT', about: 'so many people at most; 100 when absent' },
  },
  exits: { 0: 'told' },
  async execute({ values: { channel, state, limit }, parameters, answer, client }) {
    const [key] = parameters as [string]
    const max = countOf('limit', limit ?? '100')
    const filter = { ...(channel ? { channel } : {}), ...(state ? { state: state as ReceiptState } : {}) }
    const rows: ReceiptView[] = []
    for await (const row of client().allReceipts(key, filter)) {
      if (rows.push(row) === max) break
    }
    answer({ receipts: rows }, () => (rows.length === 0 ? 'Nobody.' : tableOf(rows)))
    return 0
  },
})

function tableOf(rows: readonly ReceiptView[]): string {
  const lines = rows.flatMap(({ person, name, channels }) =>
    Object.entries(channels).map(([leg, receipt]) => [
      person,
      name,
      channelName('en', leg),
      receipt.at,
      receiptWords('en', leg, receipt),
      receipt.toldBy,
      receipt.limit ? limitWords('en', receipt.reason, receipt.limit) : receipt.detail,
    ]),
  )
  return table([['person', 'name', 'channel', 'since', 'what', 'told by', 'detail'], ...lines])
}
