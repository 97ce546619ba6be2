/** The web app, built by vite when its sources are others than those of the last build: the digest stands in the build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const web = join(root, 'packages/web')
const stamp = join(web, 'dist/.sources')
/** packages of ours that a page is made of */
const bundled = ['api-types', 'channels', 'client', 'words']

/** @param {(file: string, args: string[], failure: string) => Promise<void>} run  rejects with the output */
export async function buildWeb(run) {
  const digest = digestOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  await run(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', web],
    'The build of the web app failed',
  )
  writeFileSync(stamp, digest)
}

function digestOfSources() {
  const hash = createHash('sha256')
  const sources = [join(web, 'src'), join(web, 'public'), ...bundled.map((name) => join(root, 'packages', name, 'src'))]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const files = [
    ...['index.html', 'package.json', 'vite.config.ts'].map((name) => join(web, name)),
    join(root, 'package-lock.json'),
    ...sources,
  ]
  for (const file of files) hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}
