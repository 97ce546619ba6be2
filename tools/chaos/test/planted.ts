/** A copy of the fleet with one safeguard taken out, and built: the fault suite must notice. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChaosReport } from '../src/run.ts'

const root = join(import.meta.dirname, '../../..')

/** in a file, a text that occurs once, and what stands in its place */
type Edit = readonly [file: string, text: string, instead: string]

export const defects = {
  'the write-ahead mark': [
    [
      'packages/couriers/src/engine/jobs/in-flight-window.ts',
      'holder?.write([...answers, ...marks])',
      'holder?.write(answers)',
    ],
    ['packages/couriers/src/engine/jobs/in-flight-window.ts', "receiptAt(from + index) === 'attempting'", 'true'],
    ['packages/couriers/src/engine/jobs/in-flight-window.ts', "receiptAt(from + index) === 'pending'", 'false'],
    // without it answers follow upon pending
    ['lua/lib/receipts.lua', "'afnxep'", "'asdrcfunxep'"],
  ],
  'the derived key': [
    [
      'packages/couriers/src/engine/idempotency.ts',
      'return (digest.readBigUInt64BE(0) >> 1n) | 1n',
      'return (BigInt(Math.floor(Math.random() * 2 ** 52)) << 8n) | 1n',
    ],
  ],
  // a receiver knows a call that comes again by its id, and takes it for the same
  'the same body at every try': [['packages/couriers/src/http/body.ts', 'new Date(createdMs)', 'new Date()']],
  // a phone that is off is "everyone got it"
  'the word for what is not confirmed': [
    ['packages/words/src/outcome-words.ts', "ending === 'everyone' && first", "ending !== 'nobody' && first"],
  ],
  // whoever is reached by then is sent the step all the same
  'the condition of the mark': [['lua/record.lua', "if unless ~= '' and not stop then", 'if false then']],
  // whoever has read a text marks with it, whatever was accepted since
  'the version of the mark': [['lua/record.lua', 'not stop and known.version > tonumber(version)', 'false']],
  // who may have it by one phone is sent it by the next
  'certainty before the next phone': [
    ['lua/record.lua', "run[3] == 'f' and run[2] or 0", "string.find(run[3], '[fu]') and run[2] or 0"],
    ['lua/lib/next-contact.lua', "ordinal) ~= 'f' then return nil end", "ordinal) == '\\0' then return nil end"],
    ['lua/lib/next-contact.lua', "string.find(why, '^[BDIUN]$')", 'why'],
  ],
  'what is left of a budget': [['lua/reserve-budget.lua', 'spent - (reserved or 0) + cost <= limit', 'true']],
  // whatever was written is believed to be where it was not asked for
  'the word of the replicas': [
    ['packages/store/src/durability/replica-line.ts', 'await line.wait(count, waitMs)', 'count'],
    ['packages/store/src/durability/durability.ts', 'if (isLeft)', 'if (false)'],
  ],
  // whoever wakes a delivery goes by a clock that anybody can set
  "Redis's own clock": [
    ['lua/wake.lua', 'local now = now_ms()', 'local now = tonumber(ARGV[3])'],
    ['packages/couriers/src/engine/claims/waker.ts', "args: ['tag', 'limit']", "args: ['tag', 'limit', 'now']"],
    [
      'packages/couriers/src/engine/claims/waker.ts',
      'tag: tagOf(shard), limit }',
      'tag: tagOf(shard), limit, now: Date.now() }',
    ],
  ],
  'the hour that is counted': [['lua/lib/stats.lua', 'math.floor(now / 3600000)', 'math.floor(now / 3600000) - 1']],
  // the next version has other fields before those that this one knows
  'fields that are read by their names': [
    ['packages/couriers/src/engine/claims/work-entry.ts', "fields.get('message') ?? ''", "flat[1] ?? ''"],
  ],
  // whoever had read an entry under the master before goes on with it under the next
  generations: [['lua/lib/lease.lua', "generation_of(redis.call('INFO', 'replication')) == generation", 'true']],
} as const satisfies Record<string, readonly Edit[]>

export type Safeguard = keyof typeof defects

/** Runs the fault suite against the defective copy. @returns its report */
export async function runWithout(
  safeguards: Safeguard | readonly Safeguard[],
  args: readonly string[],
): Promise<ChaosReport> {
  const copy = mkdtempSync(join(tmpdir(), 'courier-fleet-defect-'))
  try {
    copyFleet(copy)
    for (const safeguard of [safeguards].flat()) for (const edit of defects[safeguard]) plant(copy, edit)
    const { bundlePrograms } = await import(join(copy, 'scripts/bundle.mjs'))
    await bundlePrograms()
    return await runSuite(copy, args)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function copyFleet(copy: string): void {
  for (const name of ['lua', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.base.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  const packages = ['packages', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => ({ folder, name })),
  )
  for (const { folder, name } of packages) {
    cpSync(join(root, folder, name), join(copy, folder, name), {
      recursive: true,
      filter: (path) => !/\/(packages\/web\/src|test|node_modules)$/.test(path),
    })
  }
  // everybody else's packages are those of the checkout, our own are the copies
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@courier-fleet'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@courier-fleet') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const { folder, name } of packages) symlinkSync(join(copy, folder, name), join(modules, '@courier-fleet', name))
}

function plant(copy: string, [file, text, instead]: Edit): void {
  const path = join(copy, file)
  const parts = readFileSync(path, 'utf8').split(text)
  if (parts.length !== 2) throw new Error(`${file} holds this ${parts.length - 1} times instead of once: ${text}`)
  writeFileSync(path, parts.join(instead))
}

const program = `
  import { chaosCommand } from './tools/chaos/src/index.ts'
  process.once('SIGTERM', () => process.exit(130)) // ends the fleet with it
  process.exitCode = await chaosCommand(process.argv.slice(1), {
    redisServer: () => process.env.REDIS_SERVER,
    out: (text) => console.log(text),
    err: (text) => console.error(text),
  })`

async function runSuite(cwd: string, args: readonly string[]): Promise<ChaosReport> {
  const { NODE_OPTIONS: _ours, ...env } = process.env
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program, '--', ...args, '--json'],
    {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const endAtExit = () => child.kill('SIGTERM')
  process.once('exit', endAtExit)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  process.removeListener('exit', endAtExit)
  if ((code !== 0 && code !== 1) || out === '')
    throw new Error(`the fault suite ended with ${code}: ${err.slice(-2000)}`)
  return JSON.parse(out) as ChaosReport
}
