/** What the page says of SMS before sending is what the courier does then: both ask this. */
import { expect } from 'chai'
import { smsPartsOf } from '../src/sms-parts.ts'

describe('counting the parts of an SMS', () => {
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
    for (const [text, encoding, parts, left] of measures) {
      const counted = smsPartsOf(text)
      expect([counted.encoding, counted.parts.length, counted.left], text).to.deep.equal([encoding, parts, left])
    }
  })
})
