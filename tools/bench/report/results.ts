/** What was measured last of each case (results.json), and the pages made of it: RESULTS.md and its plots. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '../case.ts'
import type { Figure, Series } from '../figures.ts'
import type { Conditions } from './conditions.ts'
import { machinesText } from './machines.ts'
import { drawPlot } from './plot.ts'
import { formatMarkdown } from './table.ts'

export interface CaseResult {
  readonly conditions: Conditions
  /** how long the case took, s */
  readonly seconds: number
  readonly figures: readonly Figure[]
  readonly series: readonly Series[]
  readonly remarks: readonly { readonly heading: string; readonly text: string }[]
}

export type Results = Readonly<{ [caseName: string]: CaseResult }>

const benchDir = join(import.meta.dirname, '..')

/** Puts the new beside what the other cases gave before, and writes everything anew. */
export function writeResults(fresh: Results, cases: readonly Case[], dir = benchDir): void {
  const file = join(dir, 'results.json')
  const before: Results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8'), asWritten) : {}
  const results = { ...before, ...fresh }
  mkdirSync(join(dir, 'plots'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, toWrite, 1)}\n`)
  writeFileSync(join(dir, 'RESULTS.md'), pageOf(results, cases, dir))
  for (const { name, plots } of cases)
    for (const plot of plots) {
      const { figures, series } = results[name] ?? { figures: [], series: [] }
      if (results[name]) writeFileSync(join(dir, 'plots', `${plot.file}.svg`), drawPlot(plot, figures, series))
    }
}

/** JSON knows no Infinity, which is what "never" is. */
const toWrite = (_key: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? 'never' : value)
const asWritten = (_key: string, value: unknown) => (value === 'never' ? Number.POSITIVE_INFINITY : value)

function pageOf(results: Results, cases: readonly Case[], dir: string): string {
  const measured = cases.filter(({ name }) => results[name])
  const figures = measured.flatMap(({ name }) => results[name]?.figures ?? [])
  const withTarget = figures.filter(({ met }) => met !== null)
  const short = withTarget.filter(({ met }) => !met)
  return [
    '# Results of the benchmark',
    '',
    'Written by `npm run bench`; what people add stands in `notes/`. Figures are medians of the runs, with the lowest and highest in',
    'brackets where they differ; ratio is ours / BullMQ. In every run it is checked that nothing was lost, doubled or told falsely;',
    'else the figure is void.',
    '',
    `${withTarget.length - short.length} of ${withTarget.length} targets are met${short.length > 0 ? '; not met:' : '.'}`,
    '',
    ...short.map((figure) => `- ${figure.case}: ${figure.metric}`),
    ...(short.length > 0 ? [''] : []),
    ...measured.flatMap((each) => sectionOf(each, results[each.name] as CaseResult, dir)),
    ...(results.costs ? machinesText(results) : []),
  ].join('\n')
}

function sectionOf({ name, title, about, plots }: Case, result: CaseResult, dir: string): string[] {
  const notes = join(dir, 'notes', `${name}.md`)
  return [
    `## ${title} (\`${name}\`)`,
    '',
    about,
    '',
    formatMarkdown(result.figures),
    '',
    ...plots.flatMap(({ file, title }) => [`![${title}](plots/${file}.svg)`, '']),
    ...result.remarks.flatMap(({ heading, text }) => [`### ${heading}`, '', text, '']),
    ...(existsSync(notes) ? [readFileSync(notes, 'utf8').trim(), ''] : []),
    `<sub>${conditionsLine(result)}</sub>`,
    '',
  ]
}

function conditionsLine({ conditions, seconds }: CaseResult): string {
  const { date, commit, machine, node, redis, aof, bullmq, load } = conditions
  const took = `${Math.round(seconds)} s`
  return `${date}, ${commit}; ${machine}; Node ${node}, ${redis} (${aof}), BullMQ ${bullmq}; load average before ${load}; took ${took}`
}
