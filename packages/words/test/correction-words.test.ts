import { expect } from 'chai'
import { correctionWords } from '../src/correction-words.ts'

const none = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
const at = '2026-09-01T06:00:00.000Z'

describe('a correction in words', () => {
  it('says of each channel who was corrected, and who was not', () => {
    const corrected = {
      sms: { ...none, followedUp: 14, unknown: 1, uncorrected: 2 },
      telegram: { ...none, edited: 290, pending: 3 },
      vk: none,
    }
    const history = {
      versions: [
        { text: 'a', at, by: 'dean' },
        { text: 'b', at, by: 'dean', corrected },
      ],
    }
    expect(correctionWords('en', history)).to.deep.equal([
      'Correction of the text: SMS: 14 told by a message of its own, 1 not known to be told, 2 not corrected; Telegram: 290 edited, 3 still to be corrected.',
    ])
    expect(correctionWords('ru', history)).to.deep.equal([
      'Исправление текста: SMS: сообщили отдельно — 14, исход неизвестен — 1, не исправлено — 2; Telegram: изменено — 290, ещё предстоит — 3.',
    ])
  })

  it('says nothing where nobody had another text', () => {
    expect(correctionWords('en', {})).to.deep.equal([])
    const versions = [
      { at, by: 'dean' },
      { at, by: 'dean', corrected: {} },
    ]
    expect(correctionWords('en', { versions })).to.deep.equal([])
  })
})
