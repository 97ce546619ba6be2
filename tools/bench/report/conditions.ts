/** Under which conditions a figure was taken. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

export interface Conditions {
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly node: string
  readonly redis: string
  readonly aof: string
  readonly bullmq: string
  readonly load: string
}

const benchDir = join(import.meta.dirname, '..')

export function readConditions(redis: string, aof: string): Conditions {
  const [{ model = 'unknown' } = {}] = cpus()
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commit(),
    machine: `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
    node: process.versions.node,
    redis,
    aof,
    bullmq: JSON.parse(readFileSync(join(benchDir, 'package.json'), 'utf8')).dependencies.bullmq,
    load: (loadavg()[0] ?? 0).toFixed(1),
  }
}

/** `+` when what was measured is not quite what was committed */
function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: benchDir, encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '../..') !== ''
    return `commit ${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`
  } catch {
    return 'no commit'
  }
}
