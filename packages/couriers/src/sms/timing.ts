/** How long the SMS courier waits for what; tests have no time for the real values. All in ms. */
export interface SmsTiming {
  /** a whole send(): what is not answered by then is unknown */
  readonly deadlineMs: number
  /** an enquire_link goes out this often; unanswered, it ends the connection */
  readonly keepAliveMs: number
  /** for the answers to bind and enquire_link */
  readonly answerMs: number
  /** before the first reconnect; doubles with each further one */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** for the answer to unbind */
  readonly goodbyeMs: number
  /** how often a process tries to take the port for delivery reports from one that is gone */
  readonly standbyMs: number
}

export const productionTiming: SmsTiming = {
  deadlineMs: 15_000,
  keepAliveMs: 15_000,
  answerMs: 10_000,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  goodbyeMs: 1000,
  standbyMs: 1000,
}
