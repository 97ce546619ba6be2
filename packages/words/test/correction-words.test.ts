import { expect } from 'chai'
import { correctionWords } from '../src/correction-words.ts'

const none = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
const at = '2026-09-01T06:00:00.000Z'

describe('a correction in words', () => {
  it('says of each channel who was corrected, and who was not', () => {
    const corrected = {
      sms: { ...none, followedUp: 14, unknown: 1, uncorrected: 2 },
      telegram: { ...none, edited: 290, pending: 3 },
      vk: { ...none, edited: 12, alsoTold: 10, toBeTold: 1 },
    }
    const history = {
      versions: [
        { text: 'a', at, by: 'dean' },
        { text: 'b', at, by: 'dean', corrected },
      ],
    }
    expect(correctionWords('en', history)).to.deep.equal([
      'Correction of the text: SMS: 14 told by a message of its own, 1 not known to be told, 2 not corrected; Telegram: 290 edited, 3 still to be corrected; VK: 12 edited, 10 of them also told by a message of its own, 1 of them still to be told by one.',
    ])
    expect(correctionWords('ru', history)).to.deep.equal([
      'Исправление текста: SMS: сообщили отдельно — 14, исход неизвестен — 1, не исправлено — 2; Telegram: изменено — 290, ещё предстоит — 3; ВКонтакте: изменено — 12, из них сообщили и отдельно — 10, из них ещё сообщим отдельно — 1.',
    ])
  })

  it('says of each channel from whom a message was taken, and who still has it', () => {
    const recalled = {
      at,
      channels: {
        sms: { deleted: 0, replaced: 0, pending: 0, remaining: 16 },
        telegram: { deleted: 290, replaced: 3, pending: 1, remaining: 0 },
        vk: { deleted: 0, replaced: 0, pending: 0, remaining: 0 },
      },
    }
    expect(correctionWords('en', { recalled })).to.deep.equal([
      'Withdrawn from those who had it: SMS: 16 still have it, or may have it; Telegram: 290 deleted at theirs, 3 now says that it was withdrawn, 1 still to be withdrawn.',
    ])
    expect(correctionWords('ru', { recalled })).to.deep.equal([
      'Отозвано у тех, кто получил: SMS: осталось или могло остаться — 16; Telegram: удалено — 290, заменено надписью, что отозвано — 3, ещё предстоит — 1.',
    ])
  })

  it('says of systems that they were told, and no more', () => {
    const corrected = { http: { ...none, edited: 3 } }
    const versions = [
      { at, by: 'dean' },
      { at, by: 'dean', corrected },
    ]
    expect(correctionWords('en', { versions })).to.deep.equal([
      'Correction of the text: Other systems: 3 told of the new text.',
    ])
    const recalled = { at, channels: { http: { deleted: 3, replaced: 0, pending: 0, remaining: 0 } } }
    expect(correctionWords('ru', { recalled })).to.deep.equal([
      'Отозвано у тех, кто получил: Другие системы: сообщение системе об отзыве — 3.',
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
