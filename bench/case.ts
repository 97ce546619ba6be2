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
  /** People loaded into database 0: those of the case before stay when they are enough, together with its messages. */
  people(groups: readonly number[]): Promise<void>
  /** Empties Redis, people included. */
  clear(): Promise<void>
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
  readonly mostRuns: number
  readonly metrics: Readonly<{ [metric: string]: Metric }>
  readonly plots: readonly Plot[]
  measure(bench: Bench): Promise<void>
}
