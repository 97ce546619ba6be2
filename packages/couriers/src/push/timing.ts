/** How long the push courier waits for what; tests have no time for the real values. All in ms. */
export interface PushTiming {
  /** a whole send(): what is not answered by then is unknown, for push services fold nothing that they have handed on */
  readonly deadlineMs: number
  /** of a service that cannot be reached or answers with an error of its own: nobody is sent to through it */
  readonly awayMs: number
  /** of one that has not answered in time: whoever is tried next may be unknown, too */
  readonly silentMs: number
  /** of a browser that has had too many for now */
  readonly busyMs: number
}

export const productionTiming: PushTiming = { deadlineMs: 10_000, awayMs: 10_000, silentMs: 60_000, busyMs: 60_000 }
