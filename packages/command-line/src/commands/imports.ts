/** Lists of people that were loaded in the last week, and taking one of them back. */
import type { ImportList, TakeBackReportView } from '@courier-fleet/api-types'
import { takeBackWithProgress } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { bar, createProgress } from '../progress.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['list', 'take-back'] as const

/** people named in full */
const named = 20

export const imports = defineCommand({
  name: 'imports',
  summary: 'Lists that were loaded in the last week: list, take-back; for admins',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: { yes: { type: 'boolean', about: 'of take-back: do it; without it, it is only told what that would do' } },
  exits: { 0: 'told; taken back', 1: 'some people are left as they are' },
  async execute({ parameters: [action = 'list', id], values, json, terminal, answer, client }) {
    const calls = client()
    if (action === 'list') {
      const found = await calls.imports()
      answer(found, () => listOf(found))
      return 0
    }
    if (id === undefined) throw new UsageError('say which list: imports take-back <id>; "fleet imports" names them')
    const looked = await calls.takeImportBack(id)
    const progress = createProgress(terminal.err, json)
    const onProgress = (done: number, of: number) => progress.show(`${bar(done, of)} ${done} of ${of}`)
    const takeBack = () => takeBackWithProgress(calls, id, looked.version, onProgress).finally(() => progress.end())
    const report = values.yes ? await takeBack() : looked
    answer(report, () => reportText(report, values.yes ?? false))
    return report.refused === 0 ? 0 : 1
  },
})

function listOf({ imports: found }: ImportList): string {
  if (found.length === 0) return 'None in the last week.'
  const rows = found.map((each) => [
    each.id,
    each.at,
    ...(each.whole ? [each.created, each.updated, each.removed].map(String) : ['cut off', '', '']),
    each.left === 0 && each.takenBackAt ? 'taken back' : String(each.left),
  ])
  return table([['id', 'begun', 'created', 'updated', 'removed', 'can be taken back'], ...rows])
}

const reasons: Readonly<Record<NonNullable<TakeBackReportView['people'][number]['why']>, string>> = {
  changed: 'has been changed since',
  contact: 'has another contact or wishes since, or said STOP',
  'address-taken': 'an address of theirs is another person’s by now',
  group: 'is in another group or topic by now',
  'group-gone': 'a group or topic they were in is gone',
  erased: 'is being erased',
  self: 'is you',
}

function reportText(report: TakeBackReportView, isDone: boolean): string {
  const { removed, restored, returned, refused, people, groups, staying } = report
  const lines = [
    isDone ? 'Taken back:' : 'Nothing was changed. With --yes:',
    `  ${removed} who were new go, ${restored} are as before, ${returned} are there again, ${refused} are left as they are`,
  ]
  const left = people.flatMap(({ id, name, why }) => (why ? [`  left: ${name} (${id}) ${reasons[why]}`] : []))
  lines.push(...left.slice(0, named))
  if (left.length > named) lines.push(`  … and ${left.length - named} more`)
  if (groups.length > 0) lines.push(`  gone: ${groups.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`)
  if (staying.length > 0)
    lines.push(`  stay, for they are used: ${staying.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`)
  const used = people.filter(({ isUsed }) => isUsed).length
  if (used > 0) lines.push(`  of those who go, ${used} are named by messages: nobody gets their ids again`)
  if (returned > 0) lines.push('  sessions, API keys and subscriptions of those who are there again do not come back')
  return lines.map(plain).join('\n')
}
