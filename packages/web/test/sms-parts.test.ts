/** What the page says of SMS before sending is what the courier does then. */
import { smsPartsOf } from '@courier-fleet/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { measureSms } from '../src/sms-parts.ts'

describe('measuring an SMS', () => {
  const signs = fc.constantFrom(...'aZ9 \n€{}[]~|^\\@£Δ', 'я', 'ё', 'ç', '😀', '`', '\u00a0')
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...'abc €['), { minLength: 1, maxLength: 700 }),
    fc.array(signs, { minLength: 1, maxLength: 400 }),
  )

  it('agrees with the courier on coding and number of parts, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { encoding, parts } = smsPartsOf(text.join(''))
        const measured = measureSms(text.join(''))
        expect([measured.encoding, measured.parts]).to.deep.equal([encoding, parts.length])
      }),
      { numRuns: 500 },
    )
  })

  it('knows the borders', () => {
    const measures: [text: string, encoding: string, parts: number, left: number][] = [
      ['', 'gsm', 1, 160],
      ['a'.repeat(160), 'gsm', 1, 0],
      ['a'.repeat(161), 'gsm', 2, 145],
      [`${'a'.repeat(152)}€${'a'.repeat(10)}`, 'gsm', 2, 141],
      ['я'.repeat(70), 'ucs2', 1, 0],
      ['я'.repeat(71), 'ucs2', 2, 63],
      [`${'я'.repeat(66)}😀яяя`, 'ucs2', 2, 62],
    ]
    for (const [text, encoding, parts, left] of measures)
      expect(measureSms(text), text).to.deep.equal({ encoding, parts, left })
  })
})
