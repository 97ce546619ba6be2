import { expect } from 'chai'
import { hiddenIn, shownName } from '../src/index.ts'

const [override, blank, joiner, nonJoiner, lineSeparator] = ['\u202e', '\u200b', '\u200d', '\u200c', '\u2028']

describe('characters of a name that nobody sees', () => {
  it('are said with where they stand, and what is said has none of them', () => {
    expect(hiddenIn(`Анна${override}вонавИ`)).to.match(/^has the character U\+202E after "Анна": /)
    expect(hiddenIn(`${blank}Анна`)).to.match(/^has the character U\+200B at its beginning: /)
    expect(hiddenIn(`${'я'.repeat(30)}\u0007`)).to.contain(`U+0007 after "${'я'.repeat(20)}"`)
    expect(hiddenIn(`${'🎓'.repeat(30)}${override}`)).to.contain(`U+202E after "${'🎓'.repeat(20)}"`)
    expect(hiddenIn(`Анна\u{e0041}`)).to.contain('U+E0041')
    expect(hiddenIn(`\u{1f469}${joiner}\u{1f393}${override}`)).to.contain('U+202E after "\u{1f469}\u200d\u{1f393}"')
  })

  it('are each refused: controls, line ends, directions, blanks without width', () => {
    const all = [0x00, 0x0a, 0x7f, 0x85, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b]
    for (const code of [...all, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xfff9])
      expect(hiddenIn(`a${String.fromCodePoint(code)}b`), code.toString(16)).to.be.a('string')
  })

  it('may be joiners inside an emoji and a word of a script that needs them, nowhere else', () => {
    const fine = [
      'Кулешова Виктория',
      "O'Neill-Çelik 李 №5",
      `\u{1f469}${joiner}\u{1f393} Выпуск`,
      `\u{1f469}\u{1f3fd}${joiner}\u{1f52c}`,
      `\u{1f3f3}\ufe0f${joiner}\u{1f308}`,
      `علی${nonJoiner}رضا`,
      `क्${joiner}ष`,
      '❤️',
    ]
    for (const name of fine) expect(hiddenIn(name), name).to.equal(undefined)
    const wrong = [
      `Ива${joiner}нов`,
      `Iva${nonJoiner}nov`,
      `Иванов${joiner}`,
      `علی${nonJoiner}`,
      `Анна ${joiner}\u{1f393}`,
      `1${joiner}2`,
    ]
    for (const name of wrong) expect(hiddenIn(name), JSON.stringify(name)).to.match(/U\+200[CD]/)
  })

  it('go where they stand around a name, as blanks do', () => {
    expect(shownName.parse(`\ufeff Анна${lineSeparator}`)).to.equal('Анна')
    expect(shownName.safeParse(`Ан${lineSeparator}на`).error?.issues[0]?.message).to.contain('U+2028 after "Ан"')
  })
})
