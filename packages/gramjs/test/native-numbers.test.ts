/** What is native has to come to the same as what gramjs and its library do by themselves. */
import { createRequire } from 'node:module'
import bigInt, { type BigInteger } from 'big-integer'
import { expect } from 'chai'
import { helpers } from 'telegram'
import { useNativeNumbers } from '../src/patches/native-numbers.ts'

const require = createRequire(import.meta.url)
type Helpers = typeof helpers

/** Copies of their own, as they come. */
function loadUnpatched(): { bigInt: typeof bigInt; helpers: Helpers } {
  const paths = ['big-integer', 'telegram/Helpers.js'].map((name) => require.resolve(name))
  const cached = paths.map((path) => require.cache[path])
  for (const path of paths) delete require.cache[path]
  const [ownBigInt, ownHelpers] = paths.map((path) => require(path))
  for (const [index, path] of paths.entries()) require.cache[path] = cached[index]
  return { bigInt: ownBigInt, helpers: ownHelpers }
}

const edges = [
  0n,
  1n,
  255n,
  256n,
  999n,
  1000n,
  2n ** 31n,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
  10n ** 60n,
]
const numbers = edges.flatMap((number) => (number === 0n ? [number] : [number, -number, number - 1n, 1n - number]))

describe('telegram: numbers', () => {
  const unpatched = loadUnpatched()
  before(useNativeNumbers)

  const bothOf = (value: bigint) => [bigInt(value), unpatched.bigInt(value)] as const
  /** Whatever comes of it, a number or a text. */
  function expectSame(what: string, of: (number: BigInteger, other: BigInteger) => unknown): void {
    for (const value of numbers) {
      const [own, theirs] = bothOf(value)
      for (const otherValue of numbers) {
        const [ownOther, theirOther] = bothOf(otherValue)
        expect(String(of(own, ownOther)), `${what} of ${value}, ${otherValue}`).to.equal(String(of(theirs, theirOther)))
      }
    }
  }

  it('are combined as they were', () => {
    expectSame('and', (number, other) => number.and(other))
    expectSame('or', (number, other) => number.or(other))
  })

  it('are shifted as they were, either way', () => {
    for (const bits of [0, 1, 8, 31, 32, 56, 64, 130, -3]) {
      expectSame(`<< ${bits}`, (number) => number.shiftLeft(bits))
      expectSame(`>> ${bits}`, (number) => number.shiftRight(bits))
    }
  })

  it('are as long as they were, and written alike in any base', () => {
    expectSame('bits', (number) => number.bitLength())
    expectSame('number', (number) => number.toJSNumber())
    expectSame('value', (number) => number.valueOf())
    for (const radix of [2, 10, 16, 36, 60]) expectSame(`base ${radix}`, (number) => number.toString(radix))
    expectSame('alphabet', (number) => number.toString(4, 'wxyz'))
  })

  it('are read from bytes, and make bytes, as they did', () => {
    const texts = [
      '00',
      '7f',
      '80',
      'ff',
      '0100',
      '8000000000000000',
      'ffffffffffffffff',
      '00ff00ff00ff00ff',
      'c0'.repeat(32),
    ]
    for (const bytes of texts.map((text) => Buffer.from(text, 'hex')))
      for (const little of [true, false])
        for (const signed of [true, false]) {
          const [own, theirs] = [helpers, unpatched.helpers].map((from) =>
            from.readBigIntFromBuffer(bytes, little, signed),
          )
          expect(String(own), `${bytes.toString('hex')} ${little} ${signed}`).to.equal(String(theirs))
        }
    for (const value of numbers) {
      const [own, theirs] = bothOf(value)
      for (const size of [8, 16, 32])
        expect(helpers.toSignedLittleBuffer(own, size)).to.deep.equal(
          unpatched.helpers.toSignedLittleBuffer(theirs, size),
        )
    }
  })

  it('stay numbers of the library that gramjs checks for', () => {
    expect(bigInt.isInstance(helpers.readBigIntFromBuffer(Buffer.from('ff', 'hex')))).to.equal(true)
    expect(bigInt.isInstance(bigInt(5).shiftLeft(3))).to.equal(true)
  })
})
