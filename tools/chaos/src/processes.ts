/** The programs of a fleet as child processes: started again when they die, frozen, stopped, and heard out to the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Program {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly env: Environment
}

export interface Member {
  readonly name: string
  /** undefined while it is not running */
  readonly pid: number | undefined
  /** Ends it at once; it is started again by itself a little later. */
  kill(): void
  /** Does nothing to a process that is not running. */
  freeze(): void
  thaw(): void
  signal(signal: NodeJS.Signals): void
  /**
   * SIGTERM; resolves when it is gone.
   * @returns what was wrong with its end: not by itself within its own limit, or with an error
   */
  stop(): Promise<string | undefined>
  start(): void
  /** Ends it for good. */
  end(): void
}

/** a process gives itself 10 s to stop */
const mostStopMs = 11_000
/** what a supervisor waits at first */
const restartMs = 300

export interface Processes {
  run(program: Program): Member
  readonly members: readonly Member[]
  /** log lines that tell of a defect of ours in talking to Redis */
  readonly scriptErrors: readonly string[]
  /** those that ended and nobody had ended them */
  readonly ownEnds: readonly string[]
}

/** whoever is started while Redis is away says so and ends; it is started again until Redis is there */
const isStartWithoutRedis = /Redis at \S+ cannot be reached/
const isScriptError = /user_script|WRONGTYPE|Wrong number of args|unpack|attempt to (index|compare|perform|call)/

export function createProcesses(deps: { logDir: string }): Processes {
  const members: Member[] = []
  const scriptErrors: string[] = []
  const ownEnds: string[] = []
  // nothing of the fleet outlives the run, however that ends
  process.once('exit', () => {
    for (const member of members) member.end()
  })

  function run({ name, file, args, env }: Program): Member {
    let child: ChildProcess | undefined
    let frozen = false
    /** started again when it ends */
    let wanted = true
    /** told to end */
    let told = false
    let lastWords = ''
    /** killed, and not gone yet */
    let killed = false
    /** killed or frozen while it was stopping: how it ends then says nothing */
    let struck = false
    const log: WriteStream = createWriteStream(join(deps.logDir, `${name}.log`))

    function start(): void {
      wanted = true
      if (child) return // two restarts at once may both start it
      told = false
      frozen = false
      killed = false
      const started = spawn(file, args, {
        env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      started.stdout?.on('data', (chunk) => log.write(chunk))
      started.stderr?.on('data', (chunk: Buffer) => {
        log.write(chunk)
        const text = chunk.toString()
        lastWords = text
        if (isScriptError.test(text)) scriptErrors.push(`${name}: ${text.slice(0, 500)}`)
      })
      started.once('exit', (code, signal) => {
        child = undefined
        if (!told && !isStartWithoutRedis.test(lastWords)) {
          ownEnds.push(`${name} ended by itself (${signal ?? `code ${code}`}): ${lastWords.slice(-500)}`)
        }
        if (wanted) setTimeout(() => wanted && !child && start(), restartMs)
      })
    }

    function signal(name: NodeJS.Signals): void {
      child?.kill(name)
    }

    const member: Member = {
      name,
      get pid() {
        return child?.pid
      },
      kill() {
        told = true
        killed = true
        struck = true
        signal('SIGKILL')
      },
      freeze() {
        frozen = child !== undefined
        struck = true
        signal('SIGSTOP')
      },
      thaw() {
        frozen = false
        signal('SIGCONT')
      },
      signal,
      async stop() {
        wanted = false
        told = true
        const stopping = child
        if (!stopping) return undefined
        struck = frozen || killed
        const exited = once(stopping, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
        const timer = setTimeout(() => stopping.kill('SIGKILL'), mostStopMs)
        stopping.kill('SIGTERM')
        const [code, ended] = await exited
        clearTimeout(timer)
        // ended by the signal itself: it had not begun to listen, and had nothing to hand back
        return code === 0 || ended === 'SIGTERM' || struck
          ? undefined
          : `${name} did not stop well (${ended ?? `code ${code}`})`
      },
      start,
      end() {
        wanted = false
        told = true
        signal('SIGKILL')
      },
    }
    members.push(member)
    start()
    return member
  }

  return { run, members, scriptErrors, ownEnds }
}
