import { Problem } from '@courier-fleet/api-types'
import type { ImportLine, ImportReport } from '../directory.ts'

/** Collects what became of each line, in the order of the file. */
export function createImportReport(allLines: boolean) {
  const count = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
  const lines: ImportLine[] = []

  function reject(line: number, problem: Problem, person?: string): void {
    count.rejected++
    const { field, message } = problem
    lines.push({ line, status: 'rejected', ...(person && { person }), ...(field && { field }), message })
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
      lines.push({ line, status: 'unchanged', person, message: `the same as line ${earlier}` })
    },

    /** Something worth saying about a line that is nobody's. */
    warn(line: number, field: string, message: string): void {
      lines.push({ line, status: 'unchanged', field, message })
    },

    result: (): ImportReport => ({ ...count, lines: lines.sort((a, b) => a.line - b.line) }),
  }
}
