/** Child processes by their names: what each wrote last, how it is ended, and that none outlives this process. */
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type defaultBackoff, supervise } from '../../../scripts/supervisor.mjs'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  /** beside PATH, all that it is given */
  readonly env: Environment
  readonly niceness?: number | undefined
}

/** How a process ended that was told to. */
export interface End {
  readonly name: string
  /** null when a signal ended it */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** killed or frozen while it was stopping: how it ended says nothing */
  readonly struck: boolean
  /** what it wrote last */
  readonly output: string
}

export interface Member {
  readonly name: string
  /** undefined while it does not run */
  readonly pid: number | undefined
  /** what it wrote last to standard error */
  readonly output: string
  /** lines it has written there so far */
  readonly lines: number
  /** of the one that runs, or ran last; for messages where `ipc` was asked for */
  readonly child: ChildProcess
  /** Does nothing to a process that runs. */
  start(): void
  /** Ends it at once; with a `backoff` it is started again. */
  kill(): void
  /** Does nothing to a process that does not run. */
  signal(signal: NodeJS.Signals): void
  freeze(): void
  thaw(): void
  /** By SIGTERM unless said otherwise, by SIGKILL when it takes too long. @returns undefined when it did not run */
  stop(signal?: NodeJS.Signals): Promise<End | undefined>
}

export interface ProcessesDeps {
  /** how those that end by themselves or are killed are started again; absent: they are not */
  readonly backoff?: typeof defaultBackoff
  /** each with a channel for messages */
  readonly ipc?: boolean
  /** keeps all they write, a file each */
  readonly logDir?: string
  /** told of every end that nobody asked for */
  readonly onEnd?: (member: Member, reason: string) => void
  /** told of everything written to standard error */
  readonly onOutput?: (name: string, text: string) => void
}

export interface Processes {
  /** Starts a process; one of this name that has ended is started with this command. */
  run(name: string, command: Command): Member
  /** @throws Error when none of this name was ever started */
  member(name: string): Member
  readonly names: readonly string[]
  /** Ends all of them at once and for good. */
  end(): void
}

/** a process gives itself 13 s to stop, by its own clock, and ends with 1 when they are over: this is for one that hangs */
const graceMs = 30_000
const keptOutput = 4000

export function createProcesses(deps: ProcessesDeps = {}): Processes {
  const running = new Map<string, Managed>()

  function end(): void {
    for (const each of running.values()) each.end()
    process.removeListener('exit', end)
  }

  return {
    run(name, command) {
      if (running.size === 0) process.once('exit', end)
      const known = running.get(name)
      if (known) {
        known.command = command
        known.member.start()
        return known.member
      }
      const managed = manage(name, command, deps)
      running.set(name, managed)
      return managed.member
    },
    member(name) {
      const managed = running.get(name)
      if (!managed) throw new Error(`${name} was never started`)
      return managed.member
    },
    get names() {
      return [...running.keys()]
    },
    end,
  }
}

interface Managed {
  command: Command
  readonly member: Member
  end(): void
}

function manage(name: string, first: Command, deps: ProcessesDeps): Managed {
  const { backoff, ipc, logDir, onEnd = () => {}, onOutput = () => {} } = deps
  const log = logDir === undefined ? undefined : createWriteStream(join(logDir, `${name}.log`))
  const heard = { output: '', lines: 0 }
  let child: ChildProcess | undefined
  let isFrozen = false
  let isKilled = false
  let struck = false

  function hear(started: ChildProcess): void {
    child = started
    heard.output = ''
    isFrozen = false
    isKilled = false
    started.stdout?.on('data', (chunk) => log?.write(chunk))
    started.stderr?.on('data', (chunk: Buffer) => {
      log?.write(chunk)
      const text = chunk.toString()
      heard.output = `${heard.output}${text}`.slice(-keptOutput)
      heard.lines += text.split('\n').length - 1
      onOutput(name, text)
    })
  }

  const managed: Managed = { command: first, member: undefined as never, end: () => supervised.end() }
  const supervised = supervise({
    command: () => ({ ...managed.command, env: { PATH: process.env.PATH, ...managed.command.env } }),
    ...(backoff ? { backoff } : {}),
    niceness: first.niceness ?? 0,
    ipc: ipc ?? false,
    onStart: hear,
    onEnd: ({ reason }: { reason: string }) => onEnd(member, reason),
  })
  const member: Member = {
    name,
    get pid() {
      return supervised.pid
    },
    get output() {
      return heard.output
    },
    get lines() {
      return heard.lines
    },
    get child() {
      if (!child) throw new Error(`${name} could not be started`)
      return child
    },
    start: () => supervised.start(),
    signal: (signal) => supervised.signal(signal),
    kill() {
      isKilled = true
      struck = true
      supervised.kill()
    },
    freeze() {
      isFrozen = supervised.pid !== undefined
      struck = true
      supervised.signal('SIGSTOP')
    },
    thaw() {
      isFrozen = false
      supervised.signal('SIGCONT')
    },
    async stop(signal = 'SIGTERM') {
      struck = isFrozen || isKilled
      const end = await supervised.stop(graceMs, signal)
      return end && { name, ...end, struck, output: heard.output }
    },
  }
  return Object.assign(managed, { member })
}

/** @returns what was wrong with the end of a process that was told to stop */
export function troubleOf({ name, code, signal, output }: End): string | undefined {
  return code === 0 ? undefined : `${name} did not stop well (${signal ?? `code ${code}`}): ${output}`
}
