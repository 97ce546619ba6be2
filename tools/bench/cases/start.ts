/** How long `npm start` takes where everything is there: installed, built, and a Redis with what the last one left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelNames } from '@courier-fleet/channels'
import { freePort } from '../../../scripts/free-port.mjs'
import type { Bench, Case } from '../case.ts'

const root = join(import.meta.dirname, '../../..')
const maxStartMs = 120_000
/** what only a start takes has been given back by then */
const settleMs = 10_000
/** of which the memory at rest is told */
const atRest = ['queue', 'courier-vk-1']

interface Up {
  readonly startMs: number
  readonly pids: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** Resolves once it says that it is up. @throws Error with what it has said where it ends, or takes too long */
async function startFleet(dir: string, env: NodeJS.ProcessEnv): Promise<Up> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(root, 'scripts/up.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => stopped(child)
  try {
    await untilUp(child)
    const startMs = performance.now() - startedAt
    const { processes } = JSON.parse(readFileSync(join(dir, 'fleet.json'), 'utf8')) as {
      processes: { name: string; pid: number }[]
    }
    return { startMs, pids: new Map(processes.map(({ name, pid }) => [name, pid])), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilUp(child: ChildProcess): Promise<void> {
  let said = ''
  const up = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said += chunk
        if (/^courier-fleet is up/m.test(said)) resolve()
      })
  })
  const late = new AbortController()
  const notUp = Promise.race([once(child, 'exit'), sleep(maxStartMs, undefined, { signal: late.signal })]).then(() => {
    throw new Error(`npm start did not come up: ${said}`)
  })
  try {
    await Promise.race([up, notUp])
  } finally {
    notUp.catch(() => {})
    late.abort()
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Resident memory of a process, MiB. */
const residentMib = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function measureStarts({ server, record, runs, clear, say }: Bench): Promise<void> {
  await clear()
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-start-'))
  const [PORT, SANDBOX_PORT] = [String(await freePort()), String(await freePort())]
  const env = { PATH: process.env.PATH, FLEET_DATA: dir, REDIS_URL: server.url, PORT, SANDBOX_PORT }
  try {
    say('the first, which makes keys and the demo')
    await (await startFleet(dir, env)).stop()
    for (let run = 1; run <= runs; run++) {
      say(`run ${run} of ${runs}`)
      const { startMs, pids, stop } = await startFleet(dir, env)
      try {
        record.ours('warm start', startMs / 1000)
        await sleep(settleMs)
        for (const name of atRest) record.ours(`memory of ${name} at rest`, residentMib(pids.get(name) as number))
      } finally {
        await stop()
      }
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

export const start: Case = {
  name: 'start',
  title: 'Starting',
  about: `\`npm start\` where everything is installed and built, and its data are there from before, until it says that it is up: a courier of each of ${channelNames.length} channels, queue, timekeeper, notifier, three inbound processes and the sandbox.`,
  maxRuns: 5,
  metrics: {
    'warm start': { unit: 's', target: { most: 3 } },
    ...Object.fromEntries(atRest.map((name) => [`memory of ${name} at rest`, { unit: 'MiB' }])),
  },
  plots: [],
  measure: measureStarts,
}
