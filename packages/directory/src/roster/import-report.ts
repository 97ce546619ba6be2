import { Problem } from '@courier-fleet/api-types'
import type { ImportLine, ImportReport } from '../directory.ts'

/** Collects what became of each line, in the order of the file. */
export function createImportReport(allLines: boolean) {
  const count = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
  const lines: ImportLine[] = []

  function reject(line: number, problem: Problem, person?: string): void {
    count.rejected++
    const { code, field, message } = problem
    lines.push({ line, status: 'rejected', ...(person && { person }), ...(field && { field }), code, message })
  }

  return {
    reject,

    /** The result, or undefined after a Problem, which rejects the line. */
    attempt<T>(line: number, work: () => T, person?: string): T | undefined {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        reject(line, error, person)
        return undefined
      }
    },

    accept(line: number, person: string, status: 'created' | 'updated' | 'unchanged'): void {
      count[status]++
      if (allLines) lines.push({ line, status, person })
    },

    repeated(line: number, person: string, earlier: number): void {
      count.unchanged++
      const message = `the same as line ${earlier}`
      lines.push({ line, status: 'unchanged', person, code: 'repeated-line', message })
    },

    ignoredColumn(line: number, field: string): void {
      const message = 'this column is not known and was ignored'
      lines.push({ line, status: 'unchanged', field, code: 'unknown-column', message })
    },

    result: (): ImportReport => ({ ...count, lines: lines.sort((a, b) => a.line - b.line) }),
  }
}
