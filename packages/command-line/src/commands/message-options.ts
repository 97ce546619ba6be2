/** How a message is written on the command line, for all commands that take one. */
import type { Options } from '../arguments.ts'
import { UsageError } from '../usage-error.ts'

export const audienceOptions = {
  to: {
    type: 'string',
    multiple: true,
    value: 'TOKEN',
    about:
      'user:<id>, group:<id>, cohort:<id>, topic:<id> or role:<role>; of those only unread:<days>d or unconfirmed:<key>; may be given several times',
  },
  channels: { type: 'string', value: 'LIST', about: 'only these, e.g. telegram,sms; all of them when absent' },
} as const satisfies Options

export const momentOption = {
  at: {
    type: 'string',
    value: 'TIME',
    about: '2026-09-01T09:00:00+03:00, or +20s, +5m, +2h, +1d from now, or now',
  },
} as const satisfies Options

/** @throws UsageError when nobody is named */
export function audienceOf({ to = [], channels }: { to?: string[] | undefined; channels?: string | undefined }) {
  if (to.length === 0) throw new UsageError('say whom to send to: --to "group:…"')
  return { to, ...(channels === undefined ? {} : { channels: listOf(channels) }) }
}

export const listOf = (text: string) => text.split(',').map((name) => name.trim())
