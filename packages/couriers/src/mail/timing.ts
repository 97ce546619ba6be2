/** How long the mail courier waits for what; tests have no time for the real values. All in ms. */
export interface MailTiming {
  /** a whole send(): what is not answered by then is unknown */
  readonly deadlineMs: number
  /** between two tries to reach the mail server at start */
  readonly retryMs: number
  /** how often a process tries to take the port for bounces from one that is gone */
  readonly standbyMs: number
}

export const productionTiming: MailTiming = { deadlineMs: 19_000, retryMs: 2000, standbyMs: 1000 }
