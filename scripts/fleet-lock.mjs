/**
 * One fleet per data folder. `running.json` names the fleet's own process and its children: a second fleet is refused, and
 * what a killed one left behind is ended first, so that never two Redis servers write one append-only file.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** a process gives itself 13 s to hand back what it has claimed */
export const graceMs = 15_000

/** @throws Error when another fleet runs on this folder */
export async function lockFleet(dataDir, { say, marker = 'up.mjs' }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'running.json')
  const own = { pid: process.pid, marker, children: [] }
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(own), { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const other = readJson(path)
    if (other && other.pid !== process.pid && isRunning(other))
      throw new Error(`a fleet already runs on ${dataDir} (pid ${other.pid}); stop it with: kill ${other.pid}`)
    await endLeftOvers(other?.children ?? [], say)
    rmSync(path, { force: true })
  }
  return {
    /** @param {{ name: string, pid: number, marker: string }[]} children marker: a part of the command line that tells it apart */
    update(children) {
      writeAtomically(path, { ...own, children })
    },
    release() {
      rmSync(path, { force: true })
    },
  }
}

export function writeAtomically(path, value) {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function endLeftOvers(children, say) {
  const alive = children.filter(isRunning)
  if (alive.length === 0) return
  say(`Left over from a fleet that was killed, ending them: ${alive.map((child) => child.name).join(', ')}`)
  const signalAll = (signal) => alive.filter(isRunning).forEach(({ pid }) => void process.kill(pid, signal))
  signalAll('SIGTERM')
  for (const deadline = Date.now() + graceMs; alive.some(isRunning) && Date.now() < deadline; ) await sleep(50)
  signalAll('SIGKILL')
  while (alive.some(isRunning)) await sleep(20)
}

/** A pid alone may meanwhile belong to somebody else. */
function isRunning({ pid, marker }) {
  return commandLine(pid).includes(marker)
}

function commandLine(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
