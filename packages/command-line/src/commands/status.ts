import type { ForecastReport, HistoryView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { actualWords, forecastWords } from '@courier-fleet/words'
import type { Call } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { excerpt, table } from '../table.ts'
import { tellOutcome } from '../telling.ts'

export const status = defineCommand({
  name: 'status',
  summary: 'What has become of a message',
  parameters: [{ name: 'key' }],
  options: {},
  exits: { 0: 'told' },
  async execute({ parameters, answer, client, look }) {
    const [key] = parameters as [string]
    await tellOne(client(), key, answer, look)
    return 0
  },
})

type Answer = Call<Record<string, never>>['answer']

async function tellOne(client: Client, key: string, answer: Answer, look: Look): Promise<void> {
  const report = await client.track(key, 0)
  const foretold = report.history.plan?.forecast ? await client.forecast(key) : undefined
  await tellOutcome(client, report, {
    look,
    answer: (data, words) => answer(data, () => `${factsOf(report.history, foretold, look)}\n\n${words()}`),
  })
}

function factsOf(history: HistoryView, foretold: ForecastReport | undefined, { moment }: Look): string {
  const expected = history.plan && forecastWords('en', history.plan, { moment, at: history.at, now: Date.now() })
  const actual = foretold && actualWords('en', foretold, { moment })
  const { state, source, to = [], at, text = '', audience, cancelledAt, cancelledBy, decisions = [] } = history
  // what is cancelled before it starts keeps neither
  const isGone = cancelledAt !== undefined && audience !== undefined && text === ''
  const people = audience ? `: ${audience.size} people` : ''
  const sender = history.senderName === undefined ? history.sender : `${history.senderName} (${history.sender})`
  return table([
    ['state', state],
    ['from', source === undefined ? sender : `${sender} by ${source}`],
    ['to', isGone ? `not kept after it was cancelled${people}` : `${to.join(', ')}${people}`],
    ['due', at && moment(at)],
    ...(cancelledAt ? [['cancelled', `${moment(cancelledAt)} by ${cancelledBy ?? sender}`]] : []),
    ...decisions.map(({ decision, channel, by, people, at }) => [
      'decided',
      `${moment(at)} by ${by}: ${decision}, ${channel}, ${people} people`,
    ]),
    ...(expected === undefined ? [] : [['forecast', expected]]),
    ...(actual === undefined ? [] : [['in fact', actual]]),
    ['text', isGone ? 'not kept after it was cancelled' : excerpt(text, 100)],
  ])
}
