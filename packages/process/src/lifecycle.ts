import { withoutArguments } from './error-for-log.ts'
import { endOnDefect, type Log } from './log.ts'

/**
 * Runs a process: starts it, waits for SIGTERM or SIGINT, stops it. A signal before it has started ends it at once, for it
 * holds nothing yet; so does a second signal, and a stop that takes longer than `graceMs`: what the slowest allows itself, ten seconds,
 * and some for a machine that is busy; whoever supervises it waits longer.
 */
export async function runProcess(
  log: Log,
  start: () => Promise<{ stop(): Promise<void> }>,
  graceMs = 13_000,
): Promise<void> {
  endOnDefect(log)
  const signalled = new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      let seen = false
      process.on(name, () => {
        if (seen) process.exit(130)
        seen = true
        resolve(name)
      })
    }
  })
  try {
    const running = await Promise.race([start().then(tellReady), signalled])
    const signal = await signalled
    log.info({ signal }, 'stopping')
    if (typeof running === 'string') process.exit(0)
    endLate(log, graceMs)
    await running.stop()
    process.exit(0)
  } catch (error) {
    log.fatal({ err: error }, withoutArguments(error instanceof Error ? error.message : String(error)))
    process.exit(1)
  }
}

/** Time in which the machine stood still is not its own: what counts are the seconds in which it could have gone on. */
function endLate(log: Log, graceMs: number): void {
  const everyMs = Math.min(1_000, graceMs)
  let leftMs = graceMs
  setInterval(() => {
    leftMs -= everyMs
    if (leftMs > 0) return
    log.error({ graceMs }, 'did not stop in time')
    process.exit(1)
  }, everyMs).unref()
}

/** To whoever has started this process, where they listen: one that ends before is in trouble, not killed at its work. */
function tellReady<T>(running: T): T {
  process.send?.({ ready: true }, () => {}) // they may be gone
  return running
}
