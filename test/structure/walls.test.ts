import { builtinModules } from 'node:module'
import { expect } from 'chai'
import { filesOf, importsIn, importsOf, packageOf, reachedFrom, workspaces } from './sources.ts'

const builtIn = new Set(builtinModules)
const isNode = (name: string) => name.startsWith('node:') || builtIn.has(name)

/** what the people's fronts know nothing of: they speak to the API */
const behindTheApi = [
  'ioredis',
  ...['store', 'directory', 'couriers', 'backup'].map((name) => `@courier-fleet/${name}`),
]
const fronts = ['packages/web', 'packages/bot', 'packages/inbound', 'packages/client', 'packages/command-line']
const inBrowsers = ['packages/web', 'packages/client', 'packages/api-types', 'packages/channels', 'packages/words']

/** @returns the ways that lead from a folder's sources to something forbidden, file by file */
function ways(folder: string, isForbidden: (reached: string) => boolean): string[] {
  return [...reachedFrom(filesOf(`${folder}/src`))]
    .filter(([reached]) => isForbidden(reached))
    .map(([, way]) => way.join(' → '))
}

describe('who may load what', () => {
  for (const folder of fronts) {
    it(`${folder} knows only the API: neither Redis nor what reads and writes it`, () => {
      const homes = workspaces.filter(({ name }) => behindTheApi.includes(name)).map((each) => `${each.folder}/`)
      const isBehind = (reached: string) =>
        behindTheApi.includes(packageOf(reached) ?? '') || homes.some((home) => reached.startsWith(home))
      expect(ways(folder, isBehind)).to.deep.equal([])
      // its types neither, or it would have to be installed with it
      const named = filesOf(`${folder}/src`).flatMap((file) => importsOf(file).map(({ name }) => packageOf(name)))
      for (const name of behindTheApi) expect(named).to.not.include(name)
    })
  }

  for (const folder of inBrowsers.filter((each) => filesOf(`${each}/src`).length > 0)) {
    it(`${folder} runs in a browser: nothing of Node's, no package but those for browsers`, () => {
      const isElsewhere = (reached: string) =>
        reached.startsWith('packages/') && !inBrowsers.some((home) => reached.startsWith(`${home}/`))
      expect(ways(folder, (reached) => isNode(reached) || isElsewhere(reached))).to.deep.equal([])
    })
  }

  it('nobody knows which client of Redis is used but the store, where a URL becomes a connection', () => {
    const files = workspaces
      .filter(({ folder }) => folder.startsWith('packages/'))
      .flatMap(({ folder }) => filesOf(`${folder}/src`))
    const knowing = files.filter((file) => importsOf(file).some(({ name }) => packageOf(name) === 'ioredis'))
    expect(knowing).to.not.deep.equal([])
    expect(knowing.filter((file) => !file.startsWith('packages/store/src/'))).to.deep.equal([])
  })

  it('what ships in packages/ needs nothing of tools/, its tests aside', () => {
    const shipped = workspaces.filter(({ folder }) => folder.startsWith('packages/'))
    const files = shipped.flatMap(({ folder }) => filesOf(`${folder}/src`, `${folder}/bin`))
    const tools = workspaces.filter(({ folder }) => folder.startsWith('tools/')).map(({ name }) => name)
    const isTool = (name: string) => tools.includes(packageOf(name) ?? '') || /(^|\/)tools\//.test(name)
    const found = files.flatMap((file) =>
      importsOf(file).flatMap(({ name }) => (isTool(name) ? `${file}: ${name}` : [])),
    )
    expect(files).to.have.length.above(100)
    expect(found).to.deep.equal([])
  })
})

describe('what is read of imports', () => {
  it('all ways to write one, and which are gone at run time', () => {
    const text = `import fs from 'node:fs'
      import {
        type Redis, // from 'comment'
        connect,
      } from './redis.ts'
      import type { App } from "../app.ts"
      export * from './all.ts'
      export type { Log } from './log.ts'
      import './effect.css'
      const lazy = await import('./lazy.ts')
      type Lazy = typeof import('./lazy-type.ts')
      /** @type {import('./in-a-comment.ts').Nothing} */
      const old = createRequire(import.meta.url)('./old.cjs')
      const text = 'https://somewhere' // import 'nothing'`
    expect(importsIn(text).map(({ name, typeOnly }) => `${name}${typeOnly ? ' (type)' : ''}`)).to.have.members([
      'node:fs',
      './redis.ts',
      '../app.ts (type)',
      './all.ts',
      './log.ts (type)',
      './effect.css',
      './lazy.ts',
      './lazy-type.ts (type)',
      './old.cjs',
    ])
  })

  it('the whole way, from package to package', () => {
    const reached = reachedFrom(['packages/queue/src/main.ts'])
    expect(reached.get('ioredis')?.[0]).to.equal('packages/queue/src/main.ts')
    expect([...reached.keys()]).to.include.members(['packages/store/src/connection/connect.ts', 'zod', 'node:crypto'])
  })
})
