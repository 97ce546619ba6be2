/** What the settings of a channel may be at most. */
export const tuningLimits = {
  batchSize: 10_000,
  concurrency: 64,
  window: 65_535,
  perSecond: 1_000_000,
  processes: 64,
} as const
