import type { HistoryView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { outcomeWords } from '@courier-fleet/words'
import type { Call } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { excerpt, table } from '../table.ts'
import { tellOutcome } from '../telling.ts'

export const status = defineCommand({
  name: 'status',
  summary: 'What has become of a message, or of your latest ones',
  parameters: [{ name: 'key', optional: true }],
  options: { limit: { type: 'string', value: 'COUNT', about: 'so many of the latest; 20 when absent' } },
  exits: { 0: 'told' },
  async execute({ values, parameters: [key], answer, client }) {
    if (key === undefined) await tellLatest(client(), countOf('limit', values.limit ?? '20'), answer)
    else await tellOne(client(), key, answer)
    return 0
  },
})

type Answer = Call<Record<string, never>>['answer']

async function tellOne(client: Client, key: string, answer: Answer): Promise<void> {
  const report = await client.track(key, 0)
  await tellOutcome(client, report, {
    answer: (data, words) => answer(data, () => `${factsOf(report.history)}\n\n${words()}`),
  })
}

function factsOf({ state, sender, source, to, at, text, audience }: HistoryView): string {
  return table([
    ['state', state],
    ['from', source === undefined ? sender : `${sender} by ${source}`],
    ['to', `${(to ?? []).join(', ')}${audience ? `: ${audience.size} people` : ''}`],
    ['due', at],
    ['text', excerpt(text ?? '', 100)],
  ])
}

const maxPerPage = 100

async function tellLatest(client: Client, max: number, answer: Answer): Promise<void> {
  const histories: HistoryView[] = []
  for (let before: string | undefined; histories.length < max; ) {
    const limit = Math.min(max - histories.length, maxPerPage)
    const page = await client.histories({ limit, ...(before === undefined ? {} : { before }) })
    histories.push(...page.histories)
    before = page.next
    if (before === undefined) break
  }
  answer({ histories }, () => (histories.length === 0 ? 'No messages yet.' : tableOf(histories)))
}

function tableOf(histories: readonly HistoryView[]): string {
  const rows = histories.map((history) => [
    history.key,
    history.state,
    history.at,
    outcomeWords('en', history).short,
    excerpt(history.text ?? '', 40),
  ])
  return table([['key', 'state', 'due', 'outcome', 'text'], ...rows])
}
