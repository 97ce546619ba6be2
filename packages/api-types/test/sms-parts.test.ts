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
      // what does not fit into the first of several may fit into one
      [`${'a'.repeat(152)}€${'a'.repeat(6)}`, 'gsm', 1, 0],
      ['a'.repeat(306), 'gsm', 2, 0],
      ['a'.repeat(307), 'gsm', 3, 152],
      ['я'.repeat(70), 'ucs2', 1, 0],
      ['я'.repeat(71), 'ucs2', 2, 63],
      [`${'я'.repeat(66)}😀яяя`, 'ucs2', 2, 62],
    ]
    for (const [text, encoding, parts, left] of measures) {
      const counted = smsPartsOf(text)
      expect([counted.encoding, counted.parts.length, counted.left], text).to.deep.equal([encoding, parts, left])
      expect(counted.parts.join('')).to.equal(text)
    }
  })

  it('knows the alphabet of GSM 03.38, and which of it takes two septets', () => {
    const one =
      '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
    const two = '\f^{}\\[~]|€'
    expect(one.length + two.length).to.equal(127 + 10)
    const every = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const takenBy = (septets: number) =>
      every.filter((each) => {
        const { encoding, left } = smsPartsOf(each)
        return encoding === 'gsm' && 160 - left === septets
      })
    expect(takenBy(1)).to.have.members([...one])
    expect(takenBy(2)).to.have.members([...two])
    expect(every.filter((each) => smsPartsOf(each).encoding === 'ucs2')).to.have.lengthOf(0x10000 - 137)
  })

  it('parts no character', () => {
    expect(smsPartsOf(`${'я'.repeat(66)}😀я`.repeat(2)).parts).to.deep.equal([
      'я'.repeat(66),
      `😀я${'я'.repeat(64)}`,
      'яя😀я',
    ])
    expect(smsPartsOf(`${'a'.repeat(152)}€${'b'.repeat(8)}`).parts).to.deep.equal([
      'a'.repeat(152),
      `€${'b'.repeat(8)}`,
    ])
  })
})
