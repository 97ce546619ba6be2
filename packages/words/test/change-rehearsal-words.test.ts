import { expect } from 'chai'
import { correctionRehearsalWords, recallRehearsalWords } from '../src/index.ts'

const none = { attempting: 0, notSent: 0, untouched: 0 }
const cost = { people: 14, prices: [], unpriced: 0, currency: 'RUB', partsEach: 1, parts: 14, millionths: 28_000_000 }

describe('what a correction or a recall would do, in words', () => {
  it('says of each channel how many are edited, told and left, and what the SMS cost', () => {
    const channels = {
      sms: { ...none, edited: 0, followedUp: 14, uncorrected: 2, untouched: 290, cost },
      telegram: { ...none, edited: 290, alsoTold: 280, followedUp: 0, uncorrected: 0, attempting: 2, notSent: 12 },
      vk: { ...none, edited: 0, followedUp: 0, uncorrected: 0, untouched: 306 },
    }
    const rehearsal = { key: 'abc', version: 2, people: 306, channels }
    expect(correctionRehearsalWords('en', rehearsal)).to.deep.equal([
      'SMS: 14 told by a message of its own, 2 keep the old text; 1 SMS each, 14 in all, ₽28.',
      'Telegram: 290 edited where they have it, 280 of them also told by a message of its own, 2 being sent just now, 12 get the new text at once.',
    ])
    expect(correctionRehearsalWords('ru', rehearsal)).to.deep.equal([
      'SMS: сообщим отдельно — 14, останется прежний текст — 2; 1 SMS на человека, всего 14, 28\u00a0₽.',
      'Telegram: изменим у получивших — 290, из них сообщим и отдельно — 280, отправляется прямо сейчас — 2, сразу получат новый текст — 12.',
    ])
  })

  it('says of each channel from how many a message is taken, and who keeps it', () => {
    const channels = {
      sms: { ...none, deleted: 0, replaced: 0, remaining: 16 },
      telegram: { ...none, deleted: 3, replaced: 290, remaining: 0, notSent: 2 },
    }
    const rehearsal = { key: 'abc', people: 306, channels }
    expect(recallRehearsalWords('en', rehearsal)).to.deep.equal([
      'SMS: 16 still have it, or may.',
      'Telegram: 3 deleted where they have it, 290 replaced by "Message withdrawn", 2 will not get it.',
    ])
    expect(recallRehearsalWords('ru', rehearsal)).to.deep.equal([
      'SMS: останется или могло остаться — 16.',
      'Telegram: удалим у получивших — 3, заменим надписью «Сообщение отозвано» — 290, не получат — 2.',
    ])
  })

  it('says where nobody has it: because it has not begun, or because it reached nobody', () => {
    expect(recallRehearsalWords('en', { key: 'abc', people: 3, channels: {} })).to.deep.equal([
      'It has not begun: nobody gets it.',
    ])
    const channels = { vk: { ...none, edited: 0, followedUp: 0, uncorrected: 0, untouched: 3 } }
    expect(correctionRehearsalWords('en', { key: 'abc', version: 2, people: 3, channels })).to.deep.equal([
      'Nobody has this message, and nobody is still to be sent it.',
    ])
  })
})
