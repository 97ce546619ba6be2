/** Processes of the build, each a child with the probe in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { nodeArguments } from '../../../scripts/node-arguments.mjs'
import { type Call, createCalls } from '../calls.ts'

const root = join(import.meta.dirname, '../../..')
const probe = new URL('./probe.mjs', import.meta.url).href
/** a process gives itself 10 s to stop */
const mostStopMs = 11_000
const keptOutput = 4000

export interface Program {
  readonly name: string
  /** folder in packages/ whose dist/main.js it is */
  readonly folder: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** as `npm start` sets it */
  readonly niceness?: number
}

/** What a process took between watch() and report(). */
export interface Report {
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** highest */
  readonly rssBytes: number
  readonly cpuMs: number
  readonly elapsedMs: number
  /** when profiled: time on the CPU by where the code comes from, most first */
  readonly origins?: readonly { readonly origin: string; readonly ms: number }[]
  /** when profiled: the functions it was in most */
  readonly functions?: readonly { readonly name: string; readonly ms: number }[]
}

export interface Processes {
  start(program: Program): void
  pidOf(name: string): number | undefined
  /** Begins to watch every process. */
  watch(options?: { profile?: boolean }): Promise<void>
  /** by name */
  report(): Promise<ReadonlyMap<string, Report>>
  /** Ends these at once. @throws Error naming those that did not stop by themselves, or badly */
  stop(names: readonly string[]): Promise<void>
  names(): string[]
  /** what it wrote last, for an error */
  output(name: string): string
}

export function createProcesses(): Processes {
  const running = new Map<string, { child: ChildProcess; call: Call; output: string }>()
  const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
  const killAll = () => {
    for (const { child } of running.values()) if (isAlive(child)) child.kill('SIGKILL')
  }
  process.once('exit', killAll)

  /** @returns what was wrong with its end */
  async function stopOne(name: string): Promise<string | undefined> {
    const member = running.get(name)
    if (!member) return undefined
    const { child } = member
    running.delete(name)
    if (!isAlive(child)) return `${name} had ended before (${child.signalCode ?? child.exitCode}): ${member.output}`
    const timer = setTimeout(() => child.kill('SIGKILL'), mostStopMs)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    clearTimeout(timer)
    return child.exitCode === 0
      ? undefined
      : `${name} did not stop well (${child.signalCode ?? child.exitCode}): ${member.output}`
  }

  return {
    start({ name, folder, args = [], env, niceness = 0 }) {
      const main = join(root, 'packages', folder, 'dist/main.js')
      const child = spawn(process.execPath, ['--import', probe, ...nodeArguments(folder), main, ...args], {
        env: { PATH: process.env.PATH, NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info', ...env },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      const member = { child, call: createCalls(child), output: '' }
      running.set(name, member)
      child.stderr?.on('data', (chunk: Buffer) => {
        member.output = `${member.output}${chunk}`.slice(-keptOutput)
      })
      if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
    },
    pidOf(name) {
      const child = running.get(name)?.child
      return child && isAlive(child) ? child.pid : undefined
    },
    async watch({ profile = false } = {}) {
      await Promise.all([...running.values()].map(({ call }) => call('watch', { profile })))
    },
    async report() {
      const found = [...running].map(async ([name, { call }]) => [name, await call<Report>('report')] as const)
      return new Map(await Promise.all(found))
    },
    async stop(names) {
      const troubles = (await Promise.all(names.map(stopOne))).filter((trouble) => trouble !== undefined)
      if (running.size === 0) process.removeListener('exit', killAll)
      if (troubles.length > 0) throw new Error(troubles.join('\n'))
    },
    names: () => [...running.keys()],
    output: (name) => running.get(name)?.output ?? '',
  }
}
