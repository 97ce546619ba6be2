import { Problem } from '@courier-fleet/api-types'
import type { ImportLine, ImportReport } from '../directory.ts'
import { TakenId } from './roster-change.ts'
import type { Header } from './roster-header.ts'
import { LineProblems } from './roster-line.ts'

/** a cell that is longer is cut: it is shown to say which is meant */
const maxCellLength = 200

/** A line as it was split, for what is said of it. */
export interface SplitLine {
  readonly line: number
  /** undefined where its quotes do not match */
  readonly cells: readonly string[] | undefined
}

const positionOf = ({ positions, fields }: Header, column: string): number | undefined =>
  positions.get(column) ?? fields.get(column.replace(/^field:/, ''))

/** Collects what became of each line, in the order of the file. */
export function createImportReport(header: Header, allLines: boolean) {
  const count = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
  const lines: ImportLine[] = []
  const cellOf = (cells: SplitLine['cells'], column: string) => cells?.[header.positions.get(column) ?? -1] ?? ''

  function reject({ line, cells }: SplitLine, problems: readonly Problem[]): void {
    count.rejected++
    const [first] = problems as [Problem]
    const person = cellOf(cells, 'id').slice(0, 64)
    lines.push({
      line,
      status: 'rejected',
      ...(person && { person }),
      ...(first.field && { field: first.field }),
      code: first.code,
      message: first.message,
      cells: (cells ?? []).slice(0, header.width).map((cell) => cell.slice(0, maxCellLength)),
      mistakes: problems.map((problem) => {
        const { field, code, message } = problem
        const at = field === undefined ? undefined : positionOf(header, field)
        const meets = problem instanceof TakenId ? problem.meets : undefined
        return {
          ...(at !== undefined && { column: at + 1 }),
          ...(field && { field }),
          code,
          message,
          ...(meets && { meets }),
        }
      }),
    })
  }

  return {
    reject,

    /** The result, or undefined after problems, which reject the line. */
    attempt<T>(line: SplitLine, work: () => T): T | undefined {
      try {
        return work()
      } catch (error) {
        if (error instanceof LineProblems) reject(line, error.problems)
        else if (error instanceof Problem) reject(line, [error])
        else throw error
        return undefined
      }
    },

    accept(
      line: number,
      { id, name }: { id: string; name: string },
      status: 'created' | 'updated' | 'unchanged',
    ): void {
      count[status]++
      if (allLines) lines.push({ line, status, person: id, name })
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

    result: (more: Pick<ImportReport, 'groups' | 'leavers' | 'version'>): ImportReport => ({
      ...count,
      removed: more.leavers.length,
      columns: header.names,
      ...more,
      lines: lines.sort((a, b) => a.line - b.line),
    }),
  }
}
