/** A whole `npm start`, with a data folder of its own, until it is told to stop. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@courier-fleet/testkit'
import { readJson } from '../../scripts/fleet-lock.mjs'

export interface StartedFleet {
  readonly apiUrl: string
  readonly apiKey: string
  readonly sandboxUrl: string
  readonly processes: readonly { readonly name: string; readonly pid: number }[]
}

export interface NpmStart {
  /** as it is now: a process that has died is started again under another pid */
  fleet(): StartedFleet
  /** all that it has said */
  output(): string
  /** Resolves when it has ended, and everything it had started. */
  stop(): Promise<void>
}

interface Options {
  /** of the checkout it is called in */
  readonly folder: string
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  /** as one calls it; the program behind it when absent */
  readonly command?: readonly [file: string, ...args: string[]]
  readonly patienceMs?: number
}

/** Resolves when it is up. @throws Error with what it said when it ended before */
export async function npmStart(options: Options): Promise<NpmStart> {
  const { folder, dataDir, env, command = [process.execPath, 'scripts/up.mjs'], patienceMs } = options
  const [file, ...args] = command
  // a busy machine is no Redis that is away
  const patient = { REDIS_TIMEOUT_MS: '60000', ...env }
  const up = spawn(file, args, { cwd: folder, env: patient, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [up.stdout, up.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const fleet = () => readJson(join(dataDir, 'fleet.json')) as StartedFleet | undefined
  const stop = () => stopped(up, dataDir)
  try {
    await until(
      () => {
        if (hasEnded(up)) throw new Error(`npm start ended: ${output}`)
        return fleet() !== undefined
      },
      'npm start is up',
      patienceMs,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { fleet: () => fleet() as StartedFleet, output: () => output, stop }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function stopped(up: ChildProcess, dataDir: string): Promise<void> {
  if (!hasEnded(up)) {
    const ended = once(up, 'exit')
    up.kill('SIGTERM')
    await ended
  }
  // npm ends before the program that it has called
  await until(() => !existsSync(join(dataDir, 'running.json')), 'everything of npm start has ended')
}
