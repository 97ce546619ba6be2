/** Figures as rows of text. */
import type { Figure } from '../figures.ts'
import { number } from './number.ts'

export const headings = ['case', 'metric', 'unit', 'ours', 'BullMQ', 'ratio', 'target', 'met', 'runs'] as const

export function rowOf(figure: Figure): string[] {
  const { spread, met, target } = figure
  const side = (value: number | null, range: readonly [number, number] | null) =>
    range && range[0] !== range[1] ? `${number(value)} (${number(range[0])} … ${number(range[1])})` : number(value)
  return [
    figure.case,
    figure.metric,
    figure.unit,
    side(figure.ours, spread.ours),
    side(figure.theirs, spread.theirs),
    number(figure.ratio),
    target ?? '',
    met === null ? '' : met ? 'yes' : 'NO',
    String(figure.runs),
  ]
}

/** For a terminal; notes stand below. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = [[...headings], ...figures.map(rowOf)]
  const widths = headings.map((_unused, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const notes = notesOf(figures).map(({ metrics, note }) => `  ${metrics.join('; ')}: ${note}`)
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : []), ''].join('\n')
}

export function formatMarkdown(figures: readonly Figure[]): string {
  const columns = headings.slice(1)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = figures.map((figure) => line(rowOf(figure).slice(1)))
  const notes = notesOf(figures).map(({ metrics, note }) => `- *${metrics.join('*; *')}*: ${note}`)
  return [line(columns), line(columns.map(() => '---')), ...rows, ...(notes.length > 0 ? ['', ...notes] : [])].join(
    '\n',
  )
}

/** Each note once, with everything it is said of. */
function notesOf(figures: readonly Figure[]): { note: string; metrics: readonly string[] }[] {
  const notes = new Map<string, string[]>()
  for (const { metric, note } of figures) if (note) notes.set(note, [...(notes.get(note) ?? []), metric])
  return [...notes].map(([note, metrics]) => ({ note, metrics }))
}
