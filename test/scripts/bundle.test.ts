import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { mainOf } from '../../scripts/programs.mjs'

const folder = dirname(mainOf('queue'))
const filesOfBuild = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))

/** All that is loaded as a program starts, whatever it does then. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;'"]*["'](\.[^"']+)["'];/gm))
    loadedBy(join(dirname(file), name as string), known)
  return known
}

/** The packages that these files are made of. */
function librariesIn(files: ReadonlySet<string>): ReadonlySet<string> {
  const maps = [...files].map((file) => `${file}.map`).filter((map) => existsSync(map))
  const sources = maps.flatMap((map) => (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources)
  return new Set(sources.flatMap((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []))
}

describe('the programs of the build', () => {
  it('are kept by node with one byte a character', () => {
    const isWide = (file: string) => /[\u0100-\uffff]/.test(readFileSync(file, 'utf8'))
    expect(filesOfBuild().filter(isWide)).to.deep.equal([])
  })

  for (const name of ['couriers', 'timekeeper', 'queue'])
    it(`${name}: what calls URLs is loaded by the first call, and not at the start`, () => {
      const libraries = librariesIn(loadedBy(mainOf(name)))
      expect(libraries).to.include('ioredis').and.not.include('undici')
    })
})
