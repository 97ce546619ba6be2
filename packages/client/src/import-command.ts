/** `npm run import -- <roster.csv>`: imports a roster, with a bar, and names the lines that were rejected. */
import { readFile } from 'node:fs/promises'
import type { ImportReportView } from '@courier-fleet/core'
import { createClient } from './create-client.ts'
import { findFleet } from './fleet-file.ts'
import { createProgress } from './progress.ts'
import type { Terminal } from './send-command.ts'
import { explain, UsageError } from './usage-error.ts'

/** lines named in full */
const named = 20
const barWidth = 30

/** @returns the exit code: 0 every line was taken · 1 some were rejected · 2 nothing was imported */
export async function importCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const progress = createProgress(terminal.err, false)
  try {
    const [file, ...more] = args
    if (file === undefined || more.length > 0) throw new UsageError('usage: npm run import -- <roster.csv>')
    const csv = await readRoster(file)
    const client = createClient(findFleet(terminal.env, terminal.fleetFile))
    const people = Math.max(1, csv.toString('latin1').split('\n').length - 2)
    const onProgress = (done: number) => progress.show(bar(done, people))
    const report = await client.importRoster(csv, { onProgress }).finally(() => progress.end())
    tell(report, terminal)
    return report.rejected === 0 ? 0 : 1
  } catch (error) {
    const line = explain(error)
    if (line === undefined) throw error
    terminal.err.write(`import: ${line}\n`)
    return 2
  }
}

async function readRoster(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`)
  }
}

function bar(done: number, total: number): string {
  const filled = Math.round(barWidth * Math.min(1, done / total))
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done} of ${Math.max(done, total)}`
}

function tell({ created, updated, unchanged, rejected, lines }: ImportReportView, { out }: Terminal): void {
  out(`${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`)
  const told = lines.filter(({ message }) => message !== undefined)
  for (const { line, status, person, field, message } of told.slice(0, named)) {
    out(`  line ${line}${person ? ` (${person})` : ''} ${status}: ${field ? `${field}: ` : ''}${message}`)
  }
  if (told.length > named) out(`  … and ${told.length - named} more`)
}
