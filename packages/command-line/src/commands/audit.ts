import type { AuditLine } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { table } from '../table.ts'

const maxPerPage = 1000

export const audit = defineCommand({
  name: 'audit',
  summary: 'Who changed what about whom, newest first',
  options: { limit: { type: 'string', value: 'COUNT', about: 'so many of the latest; 50 when absent' } },
  exits: { 0: 'told' },
  async execute({ values: { limit = '50' }, answer, client: connect, look }) {
    const max = countOf('limit', limit)
    const client = connect()
    const lines: AuditLine[] = []
    for (let before: string | undefined; lines.length < max; ) {
      const page = await client.audit({
        limit: Math.min(max - lines.length, maxPerPage),
        ...(before === undefined ? {} : { before }),
      })
      lines.push(...page.lines)
      before = page.next
      if (before === undefined) break
    }
    const rows = lines.map((line) => [
      look.moment(line.at),
      line.action,
      line.person,
      line.channel ?? line.history,
      `${line.by} by ${line.via}`,
      changeOf(line),
    ])
    answer({ lines }, () =>
      lines.length === 0 ? 'Nothing is noted yet.' : table([['at', 'what', 'whose', 'of', 'who', 'detail'], ...rows]),
    )
    return 0
  },
})

function changeOf({ detail, before, after }: AuditLine): string {
  const change = [before, after].filter((value) => value !== undefined).join(' → ')
  return [detail, change].filter(Boolean).join(': ')
}
