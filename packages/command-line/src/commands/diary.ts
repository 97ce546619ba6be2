import type { DiaryView } from '@courier-fleet/api-types'
import { channelName, spanWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { table } from '../table.ts'

export const diary = defineCommand({
  name: 'diary',
  summary: 'What counts of the messages somebody was sent, and what room the rules leave them',
  parameters: [],
  options: { person: { type: 'string', value: 'ID', about: 'whose, for operators; your own when absent' } },
  exits: { 0: 'told' },
  async execute({ values, answer, client, look }) {
    const person = values.person ?? (await client().whoIsCalling()).owner
    const view = await client().diary(person)
    answer(view, () => `${entriesOf(view, look)}\n\n${roomOf(view, look)}`)
    return 0
  },
})

function entriesOf({ entries }: DiaryView, look: Look): string {
  if (entries.length === 0) return 'Nothing counts.'
  const rows = entries.map(({ at, type, messages, channels, key, contested }) => [
    look.moment(at),
    type,
    messages === 1 ? (key ?? '') : `${messages} messages`,
    channels.map((channel) => channelName('en', channel)).join(', '),
    contested ? 'contested' : '',
  ])
  return table([['sent', 'type', 'message', 'on', ''], ...rows])
}

const ruleNames = { capped: 'at most', 'too-soon': 'interval', 'not-important': 'then only important ones' } as const

function roomOf({ room }: DiaryView, look: Look): string {
  if (room.length === 0) return 'No rule says how many there may be.'
  const rows = room.map(({ rule, type, n, per, used, left, until }) => [
    ruleNames[rule],
    type ?? 'any type',
    `${n} ${per === 'day' ? 'a day' : `in ${spanWords('en', per)}`}`,
    String(used),
    String(left),
    until === undefined ? '' : look.moment(until),
  ])
  return table([['rule', 'of', 'most', 'had', 'left', 'room again'], ...rows])
}
