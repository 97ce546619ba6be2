/** Somebody who has just heard of it: an empty folder, nothing of npm's kept, no Redis on the machine. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { onPath } from '../../scripts/on-path.mjs'
import { type NpmStart, npmStart } from '../scripts/npm-start.ts'
import { journey, look } from './human-pace.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const servers = ['redis-server', 'valkey-server']
const patienceMs = 600_000

/** From a clone to a message on three phones of the wall. */
export async function newcomerJourney(browser: Browser): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-newcomer-'))
  const folder = join(dir, 'courier-fleet')
  const env = newShell(dir)
  const page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  let started: NpmStart | undefined
  try {
    return await journey('A newcomer, from a clone to a message on three phones', 120, async (step) => {
      await step('git clone, from this disk', () => run('git', ['clone', '--quiet', root, folder], { env }))
      const { fleet, output } = await step('npm start, until it says that it is up', async () => {
        const options = { folder, dataDir: join(folder, '.data'), env, patienceMs }
        started = await npmStart({ ...options, command: ['npm', 'start'] })
        return started
      })
      for (const [part] of output().matchAll(/^(Dependencies: installed|Build:|courier-fleet is up).* s$/gm))
        console.log(`            ${part}`)
      const [, command = ''] = /^ +Try +(npm run send .+)$/m.exec(output()) ?? []
      const [, text = ''] = /--text "([^"]+)"/.exec(command) ?? []
      await step('opens the wall of phones', async () => {
        await page.goto(fleet().sandboxUrl)
        await page.locator('.row').first().waitFor()
        await look()
      })
      const sending = await step(`${command}, until it is on three phones`, async () => {
        const sent = run('sh', ['-c', command], { cwd: folder, env })
        await page.locator('.tile', { hasText: text }).nth(2).waitFor()
        return { sent }
      })
      // its exit code says that not everybody of the demo has it
      await sending.sent.catch(() => {})
    })
  } finally {
    await page.close()
    await started?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The environment without what npm, this program and a fleet have put there, and without a Redis on the PATH. */
function newShell(dir: string): NodeJS.ProcessEnv {
  const ours = /^(npm_(?!config_registry$)|REDIS_|TEST_|FLEET_|CHROMIUM$|NODE_ENV$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
  return { ...env, PATH: pathWithoutRedis(dir), npm_config_cache: join(dir, 'npm-cache') }
}

function pathWithoutRedis(dir: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !/^$|node_modules/.test(folder))
  return folders.map((folder, index) => withoutRedis(folder, join(dir, `programs-${index}`))).join(delimiter)
}

/** @returns the folder, or where it has a Redis another one with everything else of it */
function withoutRedis(folder: string, rest: string): string {
  if (onPath(servers, folder).length === 0) return folder
  mkdirSync(rest)
  for (const name of readdirSync(folder)) if (!servers.includes(name)) symlinkSync(join(folder, name), join(rest, name))
  return rest
}
