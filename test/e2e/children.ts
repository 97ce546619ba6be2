/** Processes of the build, each a child of this one: started, killed and counted to the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeArguments } from '../../scripts/node-arguments.mjs'

const root = join(import.meta.dirname, '../..')
/** a process gives itself 10 s to stop */
const mostStopMs = 11_000
const keptOutput = 4000

export type Environment = Readonly<Record<string, string | undefined>>

export interface Program {
  readonly name: string
  /** folder in packages/ whose dist/main.js it is */
  readonly folder: string
  readonly args?: readonly string[]
  readonly env: Environment
}

export interface Children {
  start(program: Program): void
  pidOf(name: string): number | undefined
  /** Resolves when it is gone. @returns its exit code; null when the signal ended it */
  kill(name: string, signal: NodeJS.Signals): Promise<number | null>
  /** Ends these at once, all of them by pid. @throws Error naming those that did not stop by themselves, or badly */
  stop(names: readonly string[]): Promise<void>
  /** what it wrote last, for the message of a failed test */
  output(name: string): string
  /** lines it has logged so far */
  lines(name: string): number
}

/** @param onEnd told of every process that ends without having been told to */
export function createChildren(onEnd: (name: string) => void): Children {
  const children = new Map<string, ChildProcess>()
  const outputs = new Map<string, string>()
  const lineCounts = new Map<string, number>()
  const told = new WeakSet<ChildProcess>()
  const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

  const killAll = () => {
    for (const child of children.values()) if (isRunning(child)) child.kill('SIGKILL')
  }
  process.once('exit', killAll)

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (!isRunning(child)) return
    told.add(child)
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  /** @returns what was wrong with its end */
  async function stopOne(name: string): Promise<string | undefined> {
    const child = children.get(name)
    if (!child || !isRunning(child)) return undefined
    const timer = setTimeout(() => child.kill('SIGKILL'), mostStopMs)
    await end(child, 'SIGTERM')
    clearTimeout(timer)
    if (child.exitCode === 0) return undefined
    return `${name} did not stop well (${child.signalCode ?? child.exitCode}): ${outputs.get(name)}`
  }

  return {
    start({ name, folder, args = [], env }) {
      const main = join(root, 'packages', folder, 'dist/main.js')
      const child = spawn(process.execPath, [...nodeArguments(folder), main, ...args], {
        env: { PATH: process.env.PATH, NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info', ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      children.set(name, child)
      outputs.set(name, '')
      child.stderr?.on('data', (chunk: Buffer) => {
        outputs.set(name, `${outputs.get(name)}${chunk}`.slice(-keptOutput))
        lineCounts.set(name, (lineCounts.get(name) ?? 0) + chunk.toString().split('\n').length - 1)
      })
      child.once('exit', () => {
        if (!told.has(child)) onEnd(name)
      })
    },
    pidOf(name) {
      const child = children.get(name)
      return child && isRunning(child) ? child.pid : undefined
    },
    async kill(name, signal) {
      const child = children.get(name)
      if (!child) return null
      await end(child, signal)
      return child.exitCode
    },
    async stop(names) {
      const troubles = (await Promise.all(names.map(stopOne))).filter((trouble) => trouble !== undefined)
      for (const name of names) children.delete(name)
      if (children.size === 0) process.removeListener('exit', killAll)
      if (troubles.length > 0) throw new Error(troubles.join('\n'))
    },
    output: (name) => outputs.get(name) ?? '',
    lines: (name) => lineCounts.get(name) ?? 0,
  }
}
