import { languages } from '@courier-fleet/words'
import { expect } from 'chai'
import fc from 'fast-check'
import { inRows } from '../src/telegram/rows.ts'
import { wordsOf } from '../src/texts/index.ts'
import { shortMomentIn } from '../src/texts/words.ts'

/** what a phone of 360 px shows whole of each of 1, 2 or 3 buttons beside each other */
const most = [36, 18, 11]
const named = (labels: readonly string[]) => labels.map((label) => ({ label }))
const labelsIn = (rows: readonly (readonly { label: string }[])[]) => rows.map((row) => row.map(({ label }) => label))

describe('buttons below a message', () => {
  it('stand beside each other only where their labels are shown whole, in their order, none lost', () => {
    const row = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const made = inRows(rows.map(named))
        for (const each of made)
          for (const { label } of each) expect([...label].length).to.be.at.most(most[each.length - 1] as number)
        const [before, after] = [rows.flat(), labelsIn(made).flat()]
        expect(after).to.have.length(before.length)
        for (const [index, label] of after.entries())
          expect(label === before[index] || before[index]?.startsWith(label.replace(/…$/, ''))).to.equal(true)
      }),
    )
  })

  it('are cut only where a name is longer than a line', () => {
    expect(labelsIn(inRows([named(['Изменить получателей', 'Изменить текст'])]))).to.deep.equal([
      ['Изменить получателей'],
      ['Изменить текст'],
    ])
    expect(labelsIn(inRows([named(['Перенести', 'Отменить'])]))).to.deep.equal([['Перенести', 'Отменить']])
    expect(labelsIn(inRows([named(['‹ назад', 'показать все', 'ещё ›'])]))).to.deep.equal([
      ['‹ назад', 'показать все'],
      ['ещё ›'],
    ])
    expect(labelsIn(inRows([named(['я'.repeat(40)])]))).to.deep.equal([[`${'я'.repeat(35)}…`]])
  })

  it('have words of their own that are shown whole, and days that leave room for a text', () => {
    for (const language of languages) {
      const { buttons } = wordsOf[language]
      const fixed = Object.values(buttons).filter((label) => typeof label === 'string')
      const counting = [buttons.again(100_000, 100_000), buttons.again(99_999, 100_000), buttons.toMissed(100_000)]
      for (const label of [...fixed, ...counting, buttons.done(1000)])
        expect([...label].length, label).to.be.at.most(36)
      const moment = shortMomentIn(language, 'Europe/Moscow')
      for (let month = 0; month < 12; month++)
        expect(moment(Date.UTC(2026, month, 28, 12)).length).to.be.at.most(36 - 17 - 3)
    }
  })
})
