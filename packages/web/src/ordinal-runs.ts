/** Ordinals as few runs, a little too wide rather than many: a run is a call. */
export function runsOf(ordinals: readonly number[]): [from: number, to: number][] {
  const mostInRun = 1000
  const runs: [number, number][] = []
  for (const ordinal of ordinals) {
    const run = runs.at(-1)
    if (run && ordinal < run[0] + mostInRun) run[1] = ordinal + 1
    else runs.push([ordinal, ordinal + 1])
  }
  return runs
}
