/** The log of a request, which says its id: made when something is said. Most requests say nothing, and a child of pino costs two kilobytes. */
import type { Log } from '@courier-fleet/process'
import type { FastifyBaseLogger } from 'fastify'

type Line = unknown[]
type Bindings = Record<string, unknown>
type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

export class RequestLog {
  readonly #log: Log
  readonly #bindings: Bindings
  #child: Log | undefined

  constructor(log: Log, bindings: Bindings) {
    this.#log = log
    this.#bindings = bindings
  }

  get level(): string {
    return this.#log.level
  }

  child(bindings: Bindings): FastifyBaseLogger {
    return this.#own().child(bindings)
  }

  trace(...line: Line): void {
    this.#say('trace', line)
  }
  debug(...line: Line): void {
    this.#say('debug', line)
  }
  info(...line: Line): void {
    this.#say('info', line)
  }
  warn(...line: Line): void {
    this.#say('warn', line)
  }
  error(...line: Line): void {
    this.#say('error', line)
  }
  fatal(...line: Line): void {
    this.#say('fatal', line)
  }
  silent(): void {}

  #own(): Log {
    this.#child ??= this.#log.child(this.#bindings)
    return this.#child
  }

  #say(level: Level, line: Line): void {
    if (this.#log.isLevelEnabled(level)) this.#own()[level](...(line as [object, string]))
  }
}
