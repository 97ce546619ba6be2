/** Imports a roster, with a bar, and names the lines that were rejected; or says what importing it would change. */
import type { ImportReportView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { bytesOrPiped } from '../input.ts'
import { countOf } from '../moment.ts'
import { bar, createProgress } from '../progress.ts'
import { plain } from '../table.ts'
import { UsageError } from '../usage-error.ts'

/** lines named in full */
const named = 20

export const importRoster = defineCommand({
  name: 'import',
  summary: 'Import people from a CSV file, or - for what comes in on stdin; may be repeated',
  parameters: [{ name: 'roster.csv' }],
  options: {
    'dry-run': { type: 'boolean', about: 'say what it would change, and who is not in the list; change nothing' },
    leavers: { type: 'string', value: 'COUNT', about: 'remove who is not in the list, where they are so many' },
  },
  exits: { 0: 'every line was taken', 1: 'some lines were rejected' },
  async execute({ values, parameters, json, terminal, answer, client }) {
    const [file] = parameters as [string]
    const csv = await bytesOrPiped(file, terminal)
    const people = Math.max(1, csv.toString('latin1').split('\n').length - 2)
    const progress = createProgress(terminal.err, json)
    const onProgress = (done: number) => progress.show(`${bar(done, people)} ${done} of ${Math.max(done, people)}`)
    const dryRun = values['dry-run'] === true
    const leavers = values.leavers === undefined ? undefined : countOf('leavers', values.leavers)
    const look = () => client().importRoster(csv, { dryRun: true, leavers: 'remove', onProgress })
    async function load(): Promise<ImportReportView> {
      if (leavers === undefined) return client().importRoster(csv, { onProgress })
      const { leavers: found, version } = await look()
      if (found.length === leavers) {
        return client().importRoster(csv, { version, leavers: 'remove', leaversConfirmed: leavers, onProgress })
      }
      throw new UsageError(`${found.length} are not in the list, and not ${leavers}: look with --dry-run who they are`)
    }
    const report = await (dryRun ? look() : load()).finally(() => progress.end())
    answer(report, () => (dryRun ? `Nothing was changed. It would be:\n${reportText(report)}` : reportText(report)))
    return report.rejected === 0 ? 0 : 1
  },
})

function reportText({ id, created, updated, unchanged, rejected, leavers, groups, lines }: ImportReportView): string {
  const told = lines.filter(({ message }) => message !== undefined)
  const text = [`${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`]
  if (groups.length > 0) text.push(plain(`  new: ${groups.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`))
  if (leavers.length > 0) {
    const who = leavers.map(({ id, name }) => `${name} (${id})`).join(', ')
    text.push(plain(`  ${leavers.length} not in the list, removed: ${who}`))
  }
  for (const { line, status, person, field, message } of told.slice(0, named)) {
    const who = person ? ` (${person})` : ''
    text.push(plain(`  line ${line}${who} ${status}: ${field ? `${field}: ` : ''}${message}`))
  }
  if (told.length > named) text.push(`  … and ${told.length - named} more`)
  if (id !== undefined) text.push(`  To take it back within a week: fleet imports take-back ${id}`)
  return text.join('\n')
}
