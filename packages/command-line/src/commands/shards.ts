/** `fleet shards`: how many shards messages are laid into; `fleet shards 64` grows them. */
import { type ShardsView, shardNumbers } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { UsageError } from '../usage-error.ts'

export const shards = defineCommand({
  name: 'shards',
  summary: 'Into how many shards messages are laid, and which processes a growth waits for; grows them; for operators',
  parameters: [{ name: 'number', optional: true }],
  options: {},
  exits: { 0: 'new messages are laid by all shards', 1: 'some processes have to be started anew first' },
  async execute({ parameters: [number], answer, client, look }) {
    const to = shardNumbers.find((each) => String(each) === number)
    if (number !== undefined && to === undefined) throw new UsageError('there are 16, 64 or 256, and no other number')
    const view = to === undefined ? await client().shards() : await client().growShards(to)
    answer(view, () => textOf(view, look))
    return view.laidBy === view.shards ? 0 : 1
  },
})

function textOf({ shards: all, laidBy, former, since, toRestart }: ShardsView, { moment }: Look): string {
  const lines: string[] = []
  if (laidBy === all)
    lines.push(`${all} shards${since ? `, since ${moment(since)}; before: ${former.join(', ')}` : ''}.`)
  else {
    lines.push(
      `Growing to ${all} shards. New messages are laid by ${laidBy} until every process looks into all of them.`,
    )
    lines.push(
      toRestart.length > 0
        ? 'Start these anew, one after the other; the rest goes by itself:'
        : 'Every process does: a timekeeper has new messages laid by all within seconds.',
    )
  }
  return [...lines, ...toRestart.map((name) => `  ${name}`)].join('\n')
}
