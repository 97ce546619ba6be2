import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** of the tools, not of the fleet */
const foreign = new Set(['PATH', 'NODE_ENV', 'LC_ALL', 'MOCHA_TOTALS', 'TEST_REDIS_URL', 'REDIS_SERVER', 'CLOCK_FILE'])

describe('.env.example', () => {
  it('names every environment variable that is read anywhere', () => {
    const known = new Set([...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map((match) => match[1] as string))
    const sources = ['packages', 'scripts']
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
      .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$|^scripts\/[^/]+\.mjs$/.test(path))
    const pattern = /\b(?:process\.)?env\.([A-Z][A-Z_]+)|\b((?:TELEGRAM|VK|SMS|FLEET|SANDBOX)_[A-Z_]+[A-Z])\b/g
    const missing = sources.flatMap((path) =>
      [...read(path).matchAll(pattern)]
        .map((match) => (match[1] ?? match[2]) as string)
        .filter((name) => !known.has(name) && !foreign.has(name))
        .map((name) => `${name} (${path})`),
    )
    expect([...new Set(missing)]).to.deep.equal([])
  })
})
