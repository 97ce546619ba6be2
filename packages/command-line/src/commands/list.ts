import type { HistoryView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { recipientNames } from '../recipient-names.ts'
import type { Look } from '../style.ts'
import { excerpt, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const maxPerPage = 100
const everybody = '*'

export const list = defineCommand({
  name: 'list',
  summary: 'Your latest messages; of others, for operators',
  options: {
    limit: { type: 'string', value: 'COUNT', about: 'so many of the latest; 20 when absent' },
    sender: { type: 'string', value: 'ID', about: 'of this sender' },
    all: { type: 'boolean', about: 'of all senders' },
    held: { type: 'boolean', about: 'those alone that wait for an operator' },
  },
  exits: { 0: 'told' },
  async execute({ values: { limit = '20', sender, all, held }, answer, client: connect, look }) {
    if (sender !== undefined && all) throw new UsageError('say --sender or --all, not both')
    const max = countOf('limit', limit)
    const whose = all ? everybody : sender
    const client = connect()
    const histories: HistoryView[] = []
    for (let before: string | undefined; histories.length < max; ) {
      const page = await client.histories({
        limit: Math.min(max - histories.length, maxPerPage),
        ...(whose === undefined ? {} : { sender: whose }),
        ...(held ? { state: 'held' } : {}),
        ...(before === undefined ? {} : { before }),
      })
      histories.push(...page.histories)
      before = page.next
      if (before === undefined) break
    }
    const none = held ? 'No message waits for an operator.' : 'No messages yet.'
    const nameOf = histories.length === 0 ? String : await recipientNames(client)
    answer({ histories }, () => (histories.length === 0 ? none : tableOf(histories, nameOf, look)))
    return 0
  },
})

function tableOf(histories: readonly HistoryView[], nameOf: (token: string) => string, { moment }: Look): string {
  const rows = histories.map((history) => [
    history.key,
    history.senderName === undefined ? history.sender : `${history.senderName} (${history.sender})`,
    // of what was cancelled before it started whom it was for is not kept
    excerpt((history.to ?? []).map(nameOf).join(', '), 40),
    history.audience?.size,
    history.heldSince ? 'held' : history.state,
    history.at && moment(history.at),
    outcomeWords('en', history, { moment }).short,
    excerpt(history.text ?? '', 40),
  ])
  return table([['key', 'sender', 'to', 'people', 'state', 'due', 'outcome', 'text'], ...rows])
}
