import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const src = join(import.meta.dirname, '../../src')

/** what a file imports or exports from, by `from`, by `import()` and by a bare `import` */
function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name]) => name as string)
}

describe('the oracle shares no code with what it judges', () => {
  const files = [
    'expectations.ts',
    'shaped-messages.ts',
    'report.ts',
    ...readdirSync(join(src, 'oracle')).map((name) => `oracle/${name}`),
  ]

  for (const file of files) {
    it(`${file} imports only Node, itself, the expectations and the report`, () => {
      for (const name of importsOf(file))
        expect(name).to.match(/^(node:[a-z/]+|\.\/[a-z-]+\.ts|\.\.\/(expectations|shaped-messages|report)\.ts)$/)
    })
  }

  it('is made of more than one file, so this looks in the right place', () => {
    expect(files.length).to.be.above(5)
    expect(importsOf('oracle/index.ts')).to.include('../expectations.ts')
  })
})
