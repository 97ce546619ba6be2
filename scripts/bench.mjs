/**
 * `npm run bench -- <case|all> [--json] [--runs 5]`: makes the clone ready, with the bench's own packages, and runs the bench.
 * Whatever this says goes to standard error; standard output is the result's.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build, installDependencies } from './prepare.mjs'

const root = join(import.meta.dirname, '..')
const bench = join(root, 'tools/bench')
const say = (text) => console.error(text)

try {
  await installDependencies(say)
  await installDependencies(say, bench)
  await build(say)
} catch (error) {
  console.error(`npm run bench: ${error.message}`)
  process.exit(1)
}
const child = spawn(process.execPath, ['--import', 'tsx', join(bench, 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches the bench by itself; this waits for it instead of leaving first
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
