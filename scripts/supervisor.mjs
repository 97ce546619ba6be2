/** Keeps one process running: starts it again when it ends by itself, later each time, and ends it when told. */
import { spawn } from 'node:child_process'

/** first and longest wait before a restart; after `steadyMs` of life the waits start over */
export const defaultBackoff = { firstMs: 500, longestMs: 30_000, steadyMs: 60_000 }

/** How long to wait before the next start, from the last wait (0 = none yet) and the life that has just ended. */
export function nextDelay(lastDelayMs, livedMs, backoff = defaultBackoff) {
  if (lastDelayMs === 0 || livedMs >= backoff.steadyMs) return backoff.firstMs
  return Math.min(lastDelayMs * 2, backoff.longestMs)
}

/**
 * @param {{
 *   name: string,
 *   command: () => { file: string, args: string[], env?: Record<string, string | undefined> },
 *   onStart?: (child: import('node:child_process').ChildProcess) => void,
 *   onEnd?: (end: { reason: string, restartInMs: number }) => void,
 *   backoff?: typeof defaultBackoff,
 * }} options  `command` is asked at every start, so that a restart uses what has changed since; `onEnd` hears of every end
 *   nobody asked for
 */
export function supervise({ name, command, onStart = () => {}, onEnd = () => {}, backoff = defaultBackoff }) {
  let child
  let timer
  let delayMs = 0
  /** ended on purpose: not to be started again by its end */
  let wanted = true
  let stopped = false

  function start() {
    timer = undefined
    const { file, args, env } = command()
    const startedAt = Date.now()
    // a process group of its own: Ctrl-C in the terminal reaches whoever supervises, and nobody else
    const started = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child = started
    let over = false
    const ended = (reason) => {
      if (over) return
      over = true
      if (child === started) child = undefined
      if (!wanted) return
      delayMs = nextDelay(delayMs, Date.now() - startedAt, backoff)
      timer = setTimeout(start, delayMs)
      onEnd({ reason, restartInMs: delayMs })
    }
    started.once('error', (error) => ended(error.message))
    started.once('exit', (code, signal) => ended(signal ? `was ended by ${signal}` : `ended with code ${code}`))
    if (started.pid !== undefined) onStart(started)
  }

  /** SIGTERM, then SIGKILL after the grace. */
  function end(graceMs) {
    const ending = child
    if (!ending) return Promise.resolve()
    return new Promise((resolve) => {
      const kill = setTimeout(() => ending.kill('SIGKILL'), graceMs)
      ending.once('exit', () => {
        clearTimeout(kill)
        resolve()
      })
      ending.kill('SIGTERM')
    })
  }

  start()
  return {
    name,
    /** undefined while it waits to be started again */
    get pid() {
      return child?.pid
    },
    /** Ends it for good; may be called twice and while it waits for its restart. */
    async stop(graceMs) {
      stopped = true
      wanted = false
      clearTimeout(timer)
      await end(graceMs)
    },
    /** Ends it and starts it again at once. */
    async restart(graceMs) {
      if (!wanted) return
      wanted = false
      clearTimeout(timer)
      await end(graceMs)
      if (stopped) return
      wanted = true
      start()
    },
    /** At once and for good, for whoever has no time left. */
    kill() {
      stopped = true
      wanted = false
      clearTimeout(timer)
      child?.kill('SIGKILL')
    },
  }
}
