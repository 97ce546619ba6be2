/**
 * `npm run docs`: builds the site of the documentation into tools/docs/dist, whose packages it installs when it is first called.
 * `npm run docs -- --serve`: shows it on this machine, to nobody else, until Ctrl-C.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installDependencies } from './prepare.mjs'

const site = join(import.meta.dirname, '../tools/docs')

try {
  const { serve } = parseArgs({ options: { serve: { type: 'boolean', default: false } } }).values
  await installDependencies(console.log, site)
  process.exitCode = await run('vitepress/bin/vitepress.js', 'build')
  if (process.exitCode === 0 && serve)
    process.exitCode = await run('vite/bin/vite.js', 'preview', '--outDir', 'dist', '--host', '127.0.0.1')
} catch (error) {
  console.error(`npm run docs: ${error.message}\nusage: npm run docs [-- --serve]`)
  process.exitCode = 2
}

/** @returns its exit code */
async function run(program, ...args) {
  const child = spawn(process.execPath, [join(site, 'node_modules', program), ...args], { cwd: site, stdio: 'inherit' })
  // Ctrl-C reaches it by itself; this waits for it instead of leaving first
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code ?? 0
}
