/** What a case is: named figures with their targets, and how to take them. */
import type { Metric, Record } from './figures.ts'
import type { Plot } from './report/plot.ts'
import type { Server } from './server/server.ts'

export interface Bench {
  /** of its own, for the length of the bench; whoever needs it empty clears it */
  readonly server: Server
  /** how often to measure; the sides take turns in each */
  readonly runs: number
  /** a size of the case as it is to be taken this time */
  size(full: number): number
  /** Empties Redis, and loads people: the first so many of them are in a group of that size. */
  clear(groups?: readonly number[]): Promise<void>
  /** The same without emptying it when this case's population is there: then what earlier cases sent is there, too. */
  populate(): Promise<void>
  readonly record: Record
  /** progress */
  say(text: string): void
}

export interface Case {
  readonly name: string
  readonly title: string
  /** what is measured, and what is unlike on the two sides; Markdown */
  readonly about: string
  /** heavy cases are not run more often than this, whatever --runs says */
  readonly maxRuns: number
  readonly metrics: Readonly<{ [metric: string]: Metric }>
  readonly plots: readonly Plot[]
  /** sizes of the groups it sends to; cases that run together share one population, for it takes a minute to fill */
  readonly population?: readonly number[]
  measure(bench: Bench): Promise<void>
}
