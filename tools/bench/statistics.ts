/** The few numbers a row of measurements is told by. */

/** The smallest value that at least `share` of all do not exceed; NaN of none. Infinity counts like any other. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

/** Of an even number the mean of the middle two; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  return lower === upper ? upper : (lower + upper) / 2
}

/** lowest and highest */
export function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

/** Every n-th of the sorted values with the share of all that are no larger: a curve of some hundred points. */
export function distribution(values: readonly number[], points = 200): [value: number, share: number][] {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  const step = Math.max(1, Math.floor(sorted.length / points))
  return sorted.flatMap((value, index): [number, number][] =>
    index % step === 0 || index === sorted.length - 1 ? [[value, (index + 1) / values.length]] : [],
  )
}
