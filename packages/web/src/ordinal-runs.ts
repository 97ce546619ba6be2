/** Ordinals as half-open ranges. Each range is a call, so ordinals that lie near each other share one. */
export function runsOf(ordinals: readonly number[]): [from: number, to: number][] {
  const maxRun = 1000
  const runs: [number, number][] = []
  for (const ordinal of ordinals) {
    const run = runs.at(-1)
    if (run && ordinal < run[0] + maxRun) run[1] = ordinal + 1
    else runs.push([ordinal, ordinal + 1])
  }
  return runs
}
