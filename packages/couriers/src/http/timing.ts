/** How long the HTTP courier waits for what; tests have no time for the real values. All in ms. */
export interface HttpTiming {
  /** a whole call: what is not answered by then is not taken, or unknown */
  readonly deadlineMs: number
  /** a call that takes longer goes on by itself, so that nobody else waits for it */
  readonly letGoMs: number
  /** for one of the places an endpoint has, and for the rate */
  readonly placeMs: number
}

export const productionTiming: HttpTiming = { deadlineMs: 15_000, letGoMs: 2_000, placeMs: 1_000 }
