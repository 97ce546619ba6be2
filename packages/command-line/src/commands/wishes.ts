import type { OwnQuietHours, WishesInput, WishesView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['get', 'set'] as const

export const wishes = defineCommand({
  name: 'wishes',
  summary: 'What somebody has switched off, and their own quiet hours: get it, or set what is named',
  parameters: [{ name: 'action', optional: true, choices: actions }],
  options: {
    person: { type: 'string', value: 'ID', about: 'whose, for operators; your own when absent' },
    off: { type: 'string', multiple: true, value: 'TYPE', about: 'of set: do not send it, as news, or news:sms' },
    on: { type: 'string', multiple: true, value: 'TYPE', about: 'of set: send it again, as news, or news:sms' },
    quiet: {
      type: 'string',
      value: 'HOURS',
      about: 'of set: own quiet hours 23:00-07:00; never; or fleet, for those of the fleet',
    },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action = 'get'], values, answer, client }) {
    const { off = [], on = [], quiet } = values
    const isNothing = off.length + on.length === 0 && quiet === undefined
    if (action === 'set' && isNothing) throw new UsageError('say what: --off news, --on news, --quiet 23:00-07:00')
    if (action === 'get' && !isNothing) throw new UsageError('to change anything: fleet wishes set')
    const hours = quiet === undefined ? undefined : hoursOf(quiet)
    const person = values.person ?? (await client().whoIsCalling()).owner
    const view =
      action === 'get'
        ? await client().wishes(person)
        : await client().changeWishes(person, (before) => changed(before, { off, on, hours }))
    answer(view, () => wordsOf(view))
    return 0
  },
})

interface Change {
  readonly off: readonly string[]
  readonly on: readonly string[]
  readonly hours: OwnQuietHours | 'fleet' | undefined
}

function changed(before: WishesView, { off, on, hours }: Change): WishesInput {
  const kept = [...before.off, ...off].filter((entry) => !on.includes(entry))
  const quiet = hours === undefined ? before.quiet : hours === 'fleet' ? undefined : hours
  return { off: kept, ...(quiet === undefined ? {} : { quiet }) }
}

/** @throws UsageError */
function hoursOf(text: string): OwnQuietHours | 'fleet' {
  if (text === 'never' || text === 'fleet') return text
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (from === undefined || to === undefined)
    throw new UsageError(`--quiet ${text}: hours such as 23:00-07:00, never, or fleet`)
  return { from, to }
}

function wordsOf({ off, quiet, types }: WishesView): string {
  const hours = quiet === undefined ? "the fleet's" : quiet === 'never' ? 'never' : `${quiet.from}-${quiet.to}`
  const rows = types.map(({ id, name, mandatory }) => {
    const on = off.flatMap((entry) => (entry.startsWith(`${id}:`) ? [entry.slice(id.length + 1)] : []))
    const state = off.includes(id) ? 'off' : on.length > 0 ? `off on ${on.join(', ')}` : 'on'
    return [id, name.en, name.ru, mandatory ? 'mandatory' : state]
  })
  return `${table([['type', 'name', 'Russian name', ''], ...rows])}\n\nQuiet hours: ${hours}`
}
