import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from './sources.ts'

describe('the glossary', () => {
  const text = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  const entries = [...text.matchAll(/^\| (?!term \|)([^|]+) \|/gm)].map(([, terms]) => terms as string)

  it('is short enough to be read: at most 60 entries', () => {
    expect(entries.length).to.be.within(1, 60)
  })

  it('has each term once', () => {
    const terms = entries.flatMap((entry) => entry.split(', '))
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).to.deep.equal([])
  })
})
