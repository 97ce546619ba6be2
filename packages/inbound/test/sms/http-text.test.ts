import { expect } from 'chai'
import fc from 'fast-check'
import { octetsOf, textOf } from '../../src/sms/http-text.ts'

const percent = (octets: Buffer) => [...octets].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
const read = (octets: Buffer, charset = '', coding = '') =>
  textOf(octetsOf(`text=${percent(octets)}`).text as Buffer, charset, coding)

describe('a text as an HTTP gateway brings it', () => {
  it('is UTF-8 unless the gateway says otherwise', () => {
    const utf8 = Buffer.from('Пары не будет €')
    for (const charset of ['', 'GSM', 'utf-8', 'UTF-8']) expect(read(utf8, charset, '0')).to.equal('Пары не будет €')
    expect(read(utf8, 'UTF-8', '2')).to.equal('Пары не будет €')
    expect(read(utf16('Пары 🎓'), 'UTF-16BE', '2')).to.equal('Пары 🎓')
    expect(read(utf16('Пары'), '', '2')).to.equal('Пары')
    expect(read(Buffer.from([0xcf, 0xe0]), 'windows-1251')).to.equal('Па')
    expect(read(Buffer.from([0xe9]), 'ISO-8859-1')).to.equal('é')
  })

  it('is none when it is octets, or not in that charset', () => {
    expect(read(Buffer.from('x'), '', '1')).to.equal(undefined)
    expect(read(Buffer.from([0xcf]), 'UTF-8')).to.equal(undefined)
    expect(read(Buffer.from('x'), 'no-such-charset')).to.equal(undefined)
    expect(read(Buffer.from('x'), '', '7')).to.equal(undefined)
  })

  it('may hold every octet; blanks are +; the first of equal names counts', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(octetsOf(`a=1&text=${percent(Buffer.from(bytes))}`).text).to.deep.equal(Buffer.from(bytes))
      }),
    )
    expect(octetsOf('text=a+b%2Bc=%&text=no').text?.toString()).to.equal('a b+c=%')
    expect(octetsOf('').text).to.equal(undefined)
    expect(octetsOf('__proto__=1').text).to.equal(undefined)
  })
})
