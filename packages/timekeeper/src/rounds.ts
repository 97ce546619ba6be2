/** A round of work again and again until told to stop. */
import { createThrottledLog, type Log, sleep, untilAligned } from '@courier-fleet/process'

export interface Rounds {
  start(): void
  /** Begins the next round now. */
  hurry(): void
  /** Resolves once the round under way has ended. */
  stop(): Promise<void>
}

export interface RoundsDeps {
  /** must end soon after the signal is aborted */
  readonly round: (stopping: AbortSignal) => Promise<void>
  /** a round begins so often */
  readonly roundMs: number
  /** pause after one that failed; until the next when absent */
  readonly retryMs?: number
  readonly log: Log
  /** what could not be done, for the log */
  readonly failed: string
}

export function createRounds({ round, roundMs, retryMs, log, failed }: RoundsDeps): Rounds {
  const stopping = new AbortController()
  let pause = new AbortController()
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        pause = new AbortController()
        await round(stopping.signal)
        await sleep(untilAligned(roundMs), stopping.signal, pause.signal)
      } catch (error) {
        logThrottled({ err: error }, failed)
        await sleep(retryMs ?? untilAligned(roundMs), stopping.signal)
      }
    }
  }

  return {
    start() {
      running = run()
    },
    hurry: () => pause.abort(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
