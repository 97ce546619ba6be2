/** Imports a roster, with a bar, and names the lines that were rejected. */
import type { ImportReportView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { readNamed } from '../input.ts'
import { bar, createProgress } from '../progress.ts'
import { plain } from '../table.ts'

/** lines named in full */
const named = 20

export const importRoster = defineCommand({
  name: 'import',
  summary: 'Import people from a CSV file; may be repeated',
  parameters: [{ name: 'roster.csv' }],
  options: {},
  exits: { 0: 'every line was taken', 1: 'some lines were rejected' },
  async execute({ parameters, json, terminal, answer, client }) {
    const [file] = parameters as [string]
    const csv = await readNamed(file)
    const people = Math.max(1, csv.toString('latin1').split('\n').length - 2)
    const progress = createProgress(terminal.err, json)
    const onProgress = (done: number) => progress.show(`${bar(done, people)} ${done} of ${Math.max(done, people)}`)
    const report = await client()
      .importRoster(csv, { onProgress })
      .finally(() => progress.end())
    answer(report, () => reportText(report))
    return report.rejected === 0 ? 0 : 1
  },
})

function reportText({ created, updated, unchanged, rejected, lines }: ImportReportView): string {
  const told = lines.filter(({ message }) => message !== undefined)
  const text = [`${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`]
  for (const { line, status, person, field, message } of told.slice(0, named)) {
    const who = person ? ` (${person})` : ''
    text.push(plain(`  line ${line}${who} ${status}: ${field ? `${field}: ` : ''}${message}`))
  }
  if (told.length > named) text.push(`  … and ${told.length - named} more`)
  return text.join('\n')
}
