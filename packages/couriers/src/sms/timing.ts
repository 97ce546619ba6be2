import { type SmppTiming, usualSmppTiming } from '@courier-fleet/smpp'
import type { HealthTiming } from './health.ts'

/** How long the SMS courier waits for what; tests have no time for the real values. All in ms. */
export interface SmsTiming extends SmppTiming, HealthTiming {
  /** a whole send(): what is not answered by then is unknown */
  readonly deadlineMs: number
  /** how often a process tries to take the port for delivery reports from one that is gone */
  readonly standbyMs: number
  /** before somebody is tried again whose only centre is away, while another is there */
  readonly awayMs: number
}

export const productionTiming: SmsTiming = {
  ...usualSmppTiming,
  deadlineMs: 15_000,
  standbyMs: 1000,
  failAfterMs: 10_000,
  restMs: 30_000,
  maxRestMs: 600_000,
  awayMs: 5_000,
}
