import {
  endings,
  peopleClasses,
  reasons,
  receiptStates,
  stateOfReason,
  waveCauses,
  whyOf,
  whys,
} from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import { expect } from 'chai'
import { languages, problemWords, reasonWords, receiptWords, wordedProblems, wordsIn } from '../src/index.ts'

describe('the catalogue of words', () => {
  for (const language of languages) {
    const words = wordsIn(language)

    it(`has every reason, state, class and cause (${language})`, () => {
      expect(words.whys).to.have.all.keys(whys)
      expect(words.receipts).to.have.all.keys(receiptStates)
      expect(words.causes).to.have.all.keys(waveCauses)
      for (const each of [words.classes, words.shortClasses, words.shortestClasses])
        expect(each).to.have.all.keys(peopleClasses)
      const said = [words.whys, words.afterwards, words.receipts, words.causes, words.classes].flatMap((each) =>
        Object.values(each),
      )
      for (const text of said) expect(text).to.match(language === 'ru' ? /^[а-яё ,]+$/ : /^[a-z ,]+$/)
    })

    it(`says of every receipt that can be what it says, by the words of its channel (${language})`, () => {
      for (const { name } of channels) {
        for (const state of receiptStates) expect(receiptWords(language, name, { state })).to.not.match(/undefined/)
        for (const reason of reasons) {
          const state = stateOfReason(reason)
          expect(whyOf(state, reason), reason).to.be.oneOf([reason, undefined])
          expect(receiptWords(language, name, { state, reason })).to.equal(
            `${receiptWords(language, name, { state })} (${reasonWords(language, reason, name)})`,
          )
        }
      }
    })
  }

  it("words the same problems in both languages, in nobody's jargon", () => {
    expect(wordedProblems('ru')).to.have.members(wordedProblems('en'))
    for (const code of [...wordedProblems('ru'), 'of-tomorrow']) {
      expect(problemWords('ru', code)).to.match(/^[^A-Za-z]+[.]$/)
      expect(problemWords('en', code)).to.match(/^[A-Z][A-Za-z' ,:.]+[.]$/)
    }
  })

  it('says "got it" of what is known only', () => {
    const { classes } = wordsIn('ru')
    for (const name of peopleClasses) {
      const claims = classes[name].replaceAll(/не дошло|неизвестно, дошло ли/g, '')
      expect(/доставлено|дошло|получ/.test(claims), name).to.equal(name === 'delivered')
    }
    expect(endings).to.have.length(6)
  })
})
