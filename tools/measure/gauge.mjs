/** How much memory the processes of the fleet, and Redis, take: before, at the highest, after. Bytes. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { fleetFile } from '../../scripts/data-dir.mjs'

const everyMs = 1000
const run = promisify(execFile)

/** Names and pids as they are now: a process that was restarted has another pid. */
export function runningProcesses() {
  return JSON.parse(readFileSync(fleetFile, 'utf8')).processes
}

/** Linux and macOS alike. @returns resident set by name, bytes; without those that ended a moment ago */
async function residentSets() {
  const processes = runningProcesses()
  const pids = processes.map(({ pid }) => pid).join(',')
  const { stdout } = await run('ps', ['-o', 'pid=,rss=', '-p', pids])
  const byPid = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number)),
  )
  return processes.filter(({ pid }) => byPid.has(pid)).map(({ name, pid }) => [name, byPid.get(pid) * 1024])
}

async function usedMemory(redis) {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))[1])
}

/** Takes a sample each second. */
export async function startGauge(redis) {
  const processes = new Map()
  const memory = {}

  const note = (figures, bytes) => {
    figures.before ??= bytes
    figures.highest = Math.max(figures.highest ?? 0, bytes)
    figures.after = bytes
    return figures
  }
  async function sample() {
    const [residents, used] = await Promise.all([residentSets(), usedMemory(redis)])
    for (const [name, bytes] of residents) processes.set(name, note(processes.get(name) ?? {}, bytes))
    note(memory, used)
  }

  await sample()
  let sampling = Promise.resolve()
  const timer = setInterval(() => {
    sampling = sampling.then(sample)
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await sampling
      await sample()
      return { processes, redis: memory }
    },
  }
}
