import { expect } from 'chai'
import fc from 'fast-check'
import { canonicalJson, digestOf } from '../src/http/canonical-json.ts'

/** The same value with the properties of every object the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, turned(part)]),
  )
}

describe('canonical JSON', () => {
  it('is JSON of the same value, and the same text in whatever order it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(turned(value))).to.equal(text)
      }),
    )
  })

  it('leaves out what JSON leaves out', () => {
    expect(canonicalJson({ b: [undefined, 'ы'], a: undefined })).to.equal('{"b":[null,"ы"]}')
  })

  it('gives other values another digest', () => {
    expect(digestOf({ a: 1 })).to.match(/^[\w-]{24}$/)
    expect(digestOf({ a: 1 })).not.to.equal(digestOf({ a: '1' }))
  })
})
