/** Whether the counters of a message agree with its receipts. */
import type { RecountReport } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'

export const recount = defineCommand({
  name: 'recount',
  summary: 'Hold the counters of a message against its receipts',
  parameters: [{ name: 'history key' }],
  options: {},
  exits: { 0: 'they agree', 1: 'they do not' },
  async execute({ parameters, answer, client }) {
    const [key] = parameters as [string]
    const report = await client().recount(key)
    answer(report, () => reportText(report))
    return report.balanced ? 0 : 1
  },
})

function reportText({ channels }: RecountReport): string {
  if (channels.length === 0) return 'No channel has begun: there is nothing to count yet.'
  return channels.map(channelLine).join('\n')
}

function channelLine({ channel, ledger, bytes, balanced }: RecountReport['channels'][number]): string {
  const counts = Object.entries(ledger) as [keyof typeof ledger, number][]
  if (balanced) {
    const people = counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`)
    return `${channel}: balanced (${people.join(', ')})`
  }
  const wrong = counts.filter(([state, count]) => count !== bytes[state])
  return `${channel}: NOT BALANCED: ${wrong.map(([state, count]) => `${state} ${count}, counted ${bytes[state]}`).join('; ')}`
}
