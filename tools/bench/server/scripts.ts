/** Tells scripts by their names: Redis knows them by their hashes. */
import { readdirSync } from 'node:fs'
import { scriptSha } from '@courier-fleet/store'
import type { Slow } from './server.ts'

const folder = new URL('../../../lua/', import.meta.url)

const names = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.lua'))
    .map((file) => [scriptSha(file.slice(0, -4)), file.slice(0, -4)]),
)

export const isScript = ({ command: [name = ''] }: Slow) => /^(evalsha|eval|fcall)$/i.test(name)

/** `record`, or what it was called with when it is none of ours */
export const scriptName = ({ command }: Slow) =>
  names.get(command[1] ?? '') ?? command.slice(0, 2).join(' ').slice(0, 60)

/** The slowest call of each script, slowest first. */
export function slowestByScript(slow: readonly Slow[]): [script: string, calls: number, ms: number][] {
  const found = new Map<string, [number, number]>()
  for (const each of slow.filter(isScript)) {
    const [calls, ms] = found.get(scriptName(each)) ?? [0, 0]
    found.set(scriptName(each), [calls + 1, Math.max(ms, each.ms)])
  }
  return [...found]
    .map(([script, [calls, ms]]): [string, number, number] => [script, calls, ms])
    .sort((a, b) => b[2] - a[2])
}
