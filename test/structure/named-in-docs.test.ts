/** What pages for maintainers name is there: files, and what sources call by a name of more than one word. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, root } from './sources.ts'

const pages = ['docs/architecture.md', 'CONTRIBUTING.md']
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = filesOf('packages', 'tools', 'scripts', 'test')
const scripts = readdirSync(join(root, 'lua'), { recursive: true }).map((name) => `lua/${name}`)
const files = [...sources, ...scripts]
const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []))

/** What a page has in backticks, but for what stands for any name: the channel of the recipe, a pattern, a parameter. */
function namedIn(page: string): readonly string[] {
  const text = page.replace(/```[\s\S]*?```/g, '')
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name as string)
  return [...new Set(named)].filter((name) => !/xmpp|[<>*{…]|^\./.test(name))
}

const isThere = (name: string): boolean => {
  if (/\.(ts|tsx|mjs|lua|md|json|yml|yaml|csv|js)$/.test(name))
    return existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`))
  const [, symbol] = /^([A-Za-z]+[a-z][A-Z][A-Za-z]*|[a-z]+(?=\())(\(.*\))?$/.exec(name) ?? []
  return symbol === undefined || words.has(symbol)
}

describe('a page for maintainers', () => {
  for (const page of pages)
    it(`names what is there: ${page}`, () => {
      const named = namedIn(read(page))
      expect(named.length, 'names').to.be.above(40)
      expect(named.filter((name) => !isThere(name))).to.deep.equal([])
    })

  it('would be noticed with a file or a name that is gone', () => {
    // put together here, or this very file would have it
    const nowhere = `${['named', 'Nowhere'].join('')}()`
    const named = namedIn(
      `see \`gone.ts\`, \`rules/src/decide.ts\`, \`decide()\`, \`${nowhere}\`, \`packages/xmpp/a.ts\``,
    )
    expect(named.filter((name) => !isThere(name))).to.deep.equal(['gone.ts', nowhere])
  })
})
