/** Runs cases one after the other on one Redis. */
import type { Bench, Case } from './case.ts'
import { createRecorder, type Figure } from './figures.ts'
import { loadPeople } from './ours/people.ts'
import { readConditions } from './report/conditions.ts'
import type { CaseResult } from './report/results.ts'
import { aofSetting, type Server } from './server/server.ts'

export interface RunOptions {
  readonly cases: readonly Case[]
  readonly server: Server
  readonly runs: number
  readonly scale: number
  readonly say: (text: string) => void
}

const shownOfFailure = 120

/** A case that fails leaves its figures void; the others are taken all the same. */
export async function runCases({
  cases,
  server,
  runs,
  scale,
  say,
}: RunOptions): Promise<{ [name: string]: CaseResult }> {
  const results: { [name: string]: CaseResult } = {}
  const size = (full: number) => Math.ceil(full * scale)
  const populationOfAll = cases.flatMap(({ population = [] }) => population.map(size))
  let populationIsThere = false

  for (const { name, metrics, maxRuns, measure } of cases) {
    const recorder = createRecorder(name, metrics)
    const conditions = readConditions(server.version, aofSetting)
    const startedAt = performance.now()
    const tell = (text: string) => say(`${name}: ${text}`)
    if (maxRuns < runs) tell(`it is heavy: ${maxRuns} runs, not ${runs}`)
    const bench: Bench = {
      server,
      runs: Math.min(runs, maxRuns),
      size,
      async clear(groups = []) {
        populationIsThere = false
        await server.clear()
        await loadPeople(server.redis, groups, tell)
      },
      async populate() {
        if (populationIsThere) return
        await this.clear(populationOfAll)
        populationIsThere = true
      },
      record: recorder,
      say: tell,
    }
    try {
      await measure(bench)
    } catch (error) {
      populationIsThere = false // what it left undone would be done in the time of the next
      tell(`failed: ${(error as Error).stack}`)
      recorder.spoil('ours', `the case failed: ${(error as Error).message.slice(0, shownOfFailure)}`)
    }
    const seconds = (performance.now() - startedAt) / 1000
    results[name] = {
      conditions,
      seconds,
      figures: recorder.figures(),
      series: recorder.curves(),
      remarks: recorder.remarks(),
    }
    tell(`done in ${seconds.toFixed(0)} s`)
  }
  return results
}

/** What `--json` prints: a void or infinite figure is null. */
export function jsonOf(figures: readonly Figure[]): string {
  return JSON.stringify(figures, (_key, value) => (value === Number.POSITIVE_INFINITY ? null : value), 2)
}
