import { smpp } from '@courier-fleet/smpp'
import { expect } from 'chai'
import fc from 'fast-check'
import { sms } from '../../../channels/src/sms/descriptor.ts'
import { maxSegments, type Segment, segmentsOf } from '../../src/sms/segments.ts'

const gsmAlphabet = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà\f^{}\\[~]|€'
const gsmText = fc.string({ unit: fc.constantFrom(...gsmAlphabet), maxLength: 1000 })
const anyText = fc.string({ unit: 'binary', maxLength: 600 })
const mixed = fc
  .array(fc.oneof(fc.constantFrom('🎓', 'ж', 'a', '€', '👩‍🔬', '\n', '\uFEFF'), fc.string({ unit: 'binary' })), {
    maxLength: 400,
  })
  .map((pieces) => pieces.join(''))
const texts = fc.oneof(gsmText, anyText, mixed)

describe('SMS segments', () => {
  const { ASCII } = smpp.encodings as unknown as Record<'ASCII', { decode(octets: Buffer): string }>
  // the package would take U+FEFF at the beginning of a part for a byte order mark
  const decode = ({ coding, octets }: Segment) =>
    coding === 'gsm' ? ASCII.decode(octets) : Buffer.from(octets).swap16().toString('utf16le')
  /** on the air GSM septets are packed, eight in seven octets */
  const octetsOnAir = ({ coding, octets, header }: Segment) =>
    header.length + (coding === 'gsm' ? Math.ceil((octets.length * 7) / 8) : octets.length)

  it('are as many at most as the channel says that it takes', () => {
    expect(sms.text).to.deep.equal({ kind: 'sms-parts', maxParts: maxSegments })
  })

  it('put together are the text, octet for octet', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const segments = segmentsOf(text, 1n)
        expect(segments.map(({ text }) => text).join('')).to.equal(text)
        expect(segments.map(decode).join('')).to.equal(text)
      }),
    )
  })

  it('fit into 140 octets each', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const segment of segmentsOf(text, 1n)) expect(octetsOnAir(segment)).to.be.at.most(140)
      }),
    )
  })

  it('tear no character and no escape', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { text: part, coding, octets } of segmentsOf(text, 1n)) {
          expect(part).not.to.match(/\p{Surrogate}/u)
          if (coding === 'gsm') expect(octets.at(-1)).not.to.equal(0x1b)
        }
      }),
    )
  })

  it('say which part of how many they are, under one reference', () => {
    fc.assert(
      fc.property(texts, fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (text, key) => {
        const segments = segmentsOf(text, key)
        if (segments.length > maxSegments) return
        for (const [index, { header }] of segments.entries())
          expect([...header]).to.deep.equal(
            segments.length === 1 ? [] : [5, 0, 3, Number(key % 256n), segments.length, index + 1],
          )
      }),
    )
  })

  it('are GSM 03.38 as long as the text allows, and as many as a phone bill says', () => {
    const shapeOf = (text: string) => {
      const segments = segmentsOf(text, 1n)
      return [segments[0]?.coding, segments.length]
    }
    expect(shapeOf('a'.repeat(160))).to.deep.equal(['gsm', 1])
    expect(shapeOf('a'.repeat(161))).to.deep.equal(['gsm', 2])
    expect(shapeOf('€'.repeat(80))).to.deep.equal(['gsm', 1])
    expect(shapeOf('€'.repeat(81))).to.deep.equal(['gsm', 2])
    expect(shapeOf('ж'.repeat(70))).to.deep.equal(['ucs2', 1])
    expect(shapeOf('ж'.repeat(71))).to.deep.equal(['ucs2', 2])
    expect(shapeOf('🎓'.repeat(35))).to.deep.equal(['ucs2', 1])
    expect(shapeOf('🎓'.repeat(36))).to.deep.equal(['ucs2', 2])
  })
})
