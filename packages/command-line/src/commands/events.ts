import type { EventsPage, EventView, ReminderView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { instantOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { momentOption } from './message-options.ts'

const actions = ['show', 'put', 'cancel'] as const
const lateness = ['refuse', 'send'] as const

export const events = defineCommand({
  name: 'events',
  summary: 'Times on which messages hang: list yours, show one, make or move one, or cancel it with its messages',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    ...momentOption,
    name: { type: 'string', value: 'NAME', about: 'of put: what it is called' },
    late: {
      type: 'string',
      value: 'HOW',
      choices: lateness,
      about: 'of put: send at once what would have been due by now; nothing is moved when absent',
    },
    sender: { type: 'string', value: 'ID', about: 'whose, for operators; your own when absent' },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action, id], values, answer, client, look }) {
    if (action === undefined) {
      const found = await allOf(client(), values.sender)
      answer({ events: found }, () => (found.length === 0 ? 'No events.' : listOf(found, look)))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: ${action} <id>; "fleet events" lists them`)
    const event = await act(client(), action as (typeof actions)[number], id, values)
    answer(event, () => wordsOf(event, look))
    return 0
  },
})

interface Values {
  readonly at?: string | undefined
  readonly name?: string | undefined
  readonly late?: string | undefined
  readonly sender?: string | undefined
}

async function act(client: Client, action: (typeof actions)[number], id: string, values: Values): Promise<EventView> {
  const { at, name, sender } = values
  if (action === 'show') return client.event(id, sender)
  if (action === 'cancel') return client.cancelEvent(id, sender)
  if (at === undefined) throw new UsageError('say when it is: --at 2026-09-01T09:00:00+03:00, or --at +2h')
  const late = lateness.find((each) => each === values.late)
  const named = name === undefined ? {} : { name }
  return client.putEvent(id, { at: instantOf('at', at, Date.now()), ...named, ...(late ? { late } : {}) }, sender)
}

async function allOf(client: Client, sender: string | undefined): Promise<EventsPage['events']> {
  const found: EventsPage['events'] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: EventsPage = await client.events({ ...(sender === undefined ? {} : { sender }), after, limit: 1000 })
    found.push(...page.events)
    after = page.next
  }
  return found
}

const listOf = (found: EventsPage['events'], look: Look) =>
  table([
    ['event', 'at', 'name', 'cancelled'],
    ...found.map(({ id, at, name = '', cancelledAt }) => [
      id,
      look.moment(at),
      plain(name),
      cancelledAt === undefined ? '' : look.moment(cancelledAt),
    ]),
  ])

const became: Readonly<Record<NonNullable<ReminderView['became']>, string>> = {
  moved: 'moved',
  unchanged: 'as before',
  'sent-now': 'sent at once, for its time has passed',
  cancelled: 'cancelled: nobody gets it',
  stopping: 'had begun: stops after the batch in flight',
  'already-started': 'had begun: not moved',
  'already-over': 'was over before',
}

function wordsOf({ id, at, name, cancelledAt, reminders }: EventView, look: Look): string {
  const called = name === undefined ? '' : ` (${plain(name)})`
  const when = cancelledAt === undefined ? `is at ${look.moment(at)}` : `was cancelled at ${look.moment(cancelledAt)}`
  const head = `${id}${called} ${when}.`
  if (reminders.length === 0) return `${head} Nothing hangs on it.`
  const rows = reminders.map((each) => [
    each.key,
    each.offset,
    look.moment(each.at),
    each.state,
    each.became === undefined ? '' : became[each.became],
  ])
  return `${head}\n${table([['key', 'offset, s', 'due', 'state', ''], ...rows])}`
}
