import { longText, seamless } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import { splitText } from '../src/split-text.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('а', 'б', ' ', '\n', '\n\n', '🎓', '👩‍👩‍👧', 'é', '   ') }),
)

describe('splitting a text', () => {
  it('loses nothing and fits everything', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const pieces = splitText(text, limit)
        for (const piece of pieces) expect(piece.length).to.be.at.most(limit)
        expect(seamless(pieces.join(''))).to.equal(seamless(text))
        if (pieces.length > 1) for (const piece of pieces) expect(piece.trim()).not.to.equal('')
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps surrogate pairs whole', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const lone = (piece: string) => (piece.match(/\p{Surrogate}/gu) ?? []).length
        const inPieces = splitText(text, limit).reduce((sum, piece) => sum + lone(piece), 0)
        expect(inPieces).to.equal(lone(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves a text that fits as it is', () => {
    expect(splitText('  как есть \n', 20)).to.deep.equal(['  как есть \n'])
    expect(splitText('', 20)).to.deep.equal([''])
  })

  it('prefers the end of a paragraph, of a line, of a word', () => {
    expect(splitText('раз два\n\nтри\nчетыре пять', 12)).to.deep.equal(['раз два\n\n', 'три\nчетыре ', 'пять'])
    expect(splitText('раз два\nтри четыре', 12)).to.deep.equal(['раз два\n', 'три четыре'])
    expect(splitText('раз два три', 8)).to.deep.equal(['раз два ', 'три'])
    expect(splitText('раз два три', 7)).to.deep.equal(['раз два', ' три'])
  })

  it('cuts a word only where it alone is too long, and no character as people see it', () => {
    expect(splitText('абвгдежз', 3)).to.deep.equal(['абв', 'где', 'жз'])
    expect(splitText('аб👩‍👩‍👧', 9)).to.deep.equal(['аб', '👩‍👩‍👧'])
    expect(splitText('🎓🎓🎓', 5)).to.deep.equal(['🎓🎓', '🎓'])
  })

  it('tears no word of a real text', () => {
    const text = longText(20_000)
    const words = new Set(text.split(/\s+/))
    const pieces = splitText(text, 4096)
    expect(pieces).to.have.length.within(5, 7)
    expect(pieces.join('')).to.equal(text)
    for (const piece of pieces) for (const word of piece.trim().split(/\s+/)) expect(words).to.include(word)
  })

  it('refuses a limit no pair fits in', () => {
    expect(() => splitText('🎓', 1)).to.throw(RangeError)
  })
})
