import type { Role, RoleInput, RoleView } from '@courier-fleet/api-types'
import { concernLines } from '../concern-lines.ts'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['put', 'remove'] as const

export const roles = defineCommand({
  name: 'roles',
  summary: 'The roles people have, what each may do and its quota: list, put, remove',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    ru: { type: 'string', value: 'NAME', about: 'of put: what it is called in Russian' },
    en: { type: 'string', value: 'NAME', about: 'of put: what it is called in English' },
    rights: {
      type: 'string',
      value: 'ROLE',
      about: 'of put: whose rights it has: student, trainer, staff or operator; of one of the five its own',
    },
    quota: { type: 'string', value: 'COUNT', about: 'of put: so many messages a day; off: no limit' },
    'dry-run': { type: 'boolean', about: 'of put: say whom it would concern, and change nothing' },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action, id], values, answer, client, look }) {
    if (action === undefined) {
      const list = await client().roles()
      answer(list, () => listOf(list.roles))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: ${action} <id>; "fleet roles" lists them`)
    if (action === 'remove') {
      if (values['dry-run']) throw new UsageError('--dry-run is of put: a role is removed only when nobody has it')
      await client().deleteRole(id)
      answer({ id }, () => `Removed ${id}.`)
      return 0
    }
    const dryRun = values['dry-run'] ?? false
    const before = (await client().roles()).roles.find((role) => role.id === id)
    const put = await client().putRole(id, roleIn(values, before), { dryRun })
    const became = dryRun ? `would be ${put.outcome}` : put.outcome
    answer(put, () => [`${id}: ${became}.`, ...concernLines(put.concerns, look)].join('\n'))
    return 0
  },
})

interface Values {
  readonly ru?: string | undefined
  readonly en?: string | undefined
  readonly rights?: string | undefined
  readonly quota?: string | undefined
}

/** What is not said stays as it is. */
function roleIn(values: Values, before: RoleView | undefined): RoleInput {
  const { ru = before?.name.ru, en = before?.name.en, rights = before?.rights } = values
  const { quota = before && (before.quota === null ? 'off' : `${before.quota}`) } = values
  if (ru === undefined || en === undefined || rights === undefined || quota === undefined)
    throw new UsageError('say all of a new role: --ru "Декан" --en "Dean" --rights staff --quota 3')
  if (quota !== 'off' && !/^\d{1,9}$/.test(quota)) throw new UsageError(`--quota is a number or off, not "${quota}"`)
  // the API says which rights there are
  return { name: { ru, en }, rights: rights as Role, quota: quota === 'off' ? null : Number(quota) }
}

function listOf(list: readonly RoleView[]): string {
  const rows = list.map(({ id, name, rights, quota, people }) => [
    id,
    plain(name.en),
    plain(name.ru),
    rights,
    rights === 'student' ? 'none' : (quota ?? 'no limit'),
    people,
  ])
  return table([['role', 'English', 'Russian', 'rights of', 'messages a day', 'people'], ...rows])
}
