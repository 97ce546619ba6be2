/** Keeps one process running: starts it again when it ends by itself, later each time, and ends it when told. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'

/** First and last wait before a restart. Whoever was ready for `servedMs` is in no crash loop: the next start is at once. */
export const defaultBackoff = { firstMs: 500, maxMs: 30_000, servedMs: 10_000 }

/** How long to wait before the next start, from the last wait (0 = none yet) and how long it was ready in the life that has just ended. */
export function nextDelay(lastDelayMs, readyMs, backoff = defaultBackoff) {
  if (readyMs >= backoff.servedMs) return 0
  return Math.min(lastDelayMs * 2 || backoff.firstMs, backoff.maxMs)
}

/** @typedef {{ file: string, args: readonly string[], env?: Readonly<Record<string, string | undefined>> }} Command */

/**
 * Starts a process.
 * @param {object} options
 * @param {() => Command} options.command asked at every start, so that a restart uses what has changed since
 * @param {typeof defaultBackoff} [options.backoff] how it is started again when it ends by itself or is killed; absent: not
 * @param {number} [options.niceness] of its priority, 0 … 19; 0 when absent
 * @param {boolean} [options.ipc] with a channel for messages: by it a process says `{ ready: true }`; without one it is ready from its start
 * @param {(child: import('node:child_process').ChildProcess) => void} [options.onStart]
 * @param {(end: { reason: string, restartInMs: number | undefined }) => void} [options.onEnd] hears of every end nobody
 *   asked for
 */
export function supervise(options) {
  const process = new Supervised(options)
  process.start()
  return process
}

class Supervised {
  #options
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child
  #timer
  #delayMs = 0
  /** started again when it ends */
  #wanted = true
  /** somebody asked for the end of the one that runs */
  #asked = false

  constructor(options) {
    this.#options = options
  }

  /** undefined while it waits to be started again */
  get pid() {
    return this.#child?.pid
  }

  /** Does nothing to a process that runs. */
  start() {
    clearTimeout(this.#timer)
    this.#wanted = true
    if (this.#child) return
    this.#asked = false
    const { command, niceness = 0, ipc = false, onStart = () => {} } = this.#options
    const { file, args, env } = command()
    /** undefined until it is ready */
    let readyAt = ipc ? undefined : performance.now()
    // a process group of its own: Ctrl-C in the terminal reaches whoever supervises, and nobody else
    const stdio = ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])]
    const child = spawn(file, args, { env, stdio, detached: true })
    this.#child = child
    child.on('message', (message) => {
      if (message?.ready) readyAt ??= performance.now()
    })
    const ended = (reason) => this.#onEnd(child, reason, readyAt === undefined ? -1 : performance.now() - readyAt)
    child.once('error', (error) => ended(error.message))
    child.once('exit', (code, signal) => ended(signal ? `was ended by ${signal}` : `ended with code ${code}`))
    if (child.pid === undefined) return
    giveWay(child.pid, niceness)
    onStart(child)
  }

  #onEnd(child, reason, readyMs) {
    if (this.#child !== child) return // heard of it already
    this.#child = undefined
    const { backoff, onEnd = () => {} } = this.#options
    let restartInMs
    if (this.#wanted && backoff) {
      this.#delayMs = nextDelay(this.#delayMs, readyMs, backoff)
      restartInMs = this.#delayMs
      this.#timer = setTimeout(() => this.start(), restartInMs)
    }
    if (!this.#asked) onEnd({ reason, restartInMs })
  }

  /** Does nothing to a process that does not run. */
  signal(signal) {
    this.#child?.kill(signal)
  }

  /** Ends the one that runs, which is no end by itself; it is started again as after any other end. */
  kill() {
    this.#asked = true
    this.signal('SIGKILL')
  }

  /**
   * Ends it, by SIGKILL after the grace; may be called twice and while it waits for its restart.
   * @param {number} graceMs
   * @param {NodeJS.Signals} [signal]
   * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null } | undefined>} how it ended; undefined when it
   *   did not run
   */
  async stop(graceMs, signal = 'SIGTERM') {
    this.#wanted = false
    this.#asked = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (!child) return undefined
    const exited = once(child, 'exit')
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs)
    child.kill(signal)
    const [code, by] = await exited
    clearTimeout(kill)
    return { code, signal: by }
  }

  /** Ends it and starts it again at once; one that is being stopped stays so. */
  async restart(graceMs) {
    if (!this.#wanted) return
    const stopped = this.stop(graceMs)
    this.#wanted = true
    await stopped
    clearTimeout(this.#timer)
    if (this.#wanted) this.start()
  }

  /** At once and for good, for whoever has no time left. */
  end() {
    this.#wanted = false
    this.#asked = true
    clearTimeout(this.#timer)
    this.signal('SIGKILL')
  }
}

function giveWay(pid, niceness) {
  try {
    if (niceness > 0) setPriority(pid, niceness)
  } catch (error) {
    if (error.info?.code !== 'ESRCH') throw error // it has ended already; its end is heard of by itself
  }
}
