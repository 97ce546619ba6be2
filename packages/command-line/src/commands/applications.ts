/** People who ask to be put into the list: who they are, and what becomes of them. */
import type { ApplicationList } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['list', 'accept', 'refuse', 'link'] as const

export const applications = defineCommand({
  name: 'applications',
  summary: 'People who ask to be put into the list: list, accept, refuse; link, where they apply for a group',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    group: {
      type: 'string',
      value: 'ID',
      about: 'of accept: the group to put them into; that of their link when absent',
    },
    answer: { type: 'string', value: 'TEXT', about: 'of refuse: why, for the applicant to read' },
    days: { type: 'string', value: 'COUNT', about: 'of link: so long it is good; 14 when absent' },
  },
  exits: { 0: 'told; done' },
  async execute({ parameters: [action = 'list', id], values: { group, answer: why, days }, answer, client }) {
    if (action === 'list') {
      const found = await client().applications()
      answer(found, () => listOf(found))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: applications ${action} <id>`)
    if (action === 'link') {
      const made = await client().makeApplicationLink(id, days === undefined ? {} : { days: countOf('days', days) })
      answer(made, () => `${made.url}\nGood until ${made.until}.`)
      return 0
    }
    if (action === 'accept') {
      const done = await client().acceptApplication(id, group === undefined ? {} : { group })
      answer(done, () => `Accepted: ${done.person} is in the list now.`)
      return 0
    }
    if (why === undefined) throw new UsageError('say why, for the applicant to read: --answer TEXT')
    await client().refuseApplication(id, { answer: why })
    answer({ refused: id }, () => 'Refused: the applicant reads the answer on their page.')
    return 0
  },
})

function listOf({ applications: found }: ApplicationList): string {
  if (found.length === 0) return 'Nobody asks to be put into the list.'
  const rows = found.map(({ id, name, group, wish, channel, address, linkedTo, until }) => [
    id,
    name,
    group ?? `“${wish}”`,
    channel,
    address,
    linkedTo,
    until,
  ])
  return table([['id', 'name', 'group', 'channel', 'address', 'linked to', 'until'], ...rows])
}
