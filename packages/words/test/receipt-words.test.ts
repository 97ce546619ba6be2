import { type HistoryKey, type ReceiptView, waveCauses } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { languages, personWords, receiptWords, wholeReceiptWords, wordsIn } from '../src/index.ts'

const at = '2026-09-02T05:00:00.000Z'
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16)
const waits = (cause: (typeof waveCauses)[number]) => ({ state: 'pending' as const, waiting: { at, cause } })

describe('one receipt in words', () => {
  it('says of who waits until when, and for what', () => {
    const said = languages.map((language) => receiptWords(language, 'sms', waits('quiet'), clock))
    expect(Object.fromEntries(languages.map((language, index) => [language, said[index]]))).to.deep.equal({
      en: 'waits until 05:00 or later (quiet hours of the recipients)',
      ru: 'ждёт до 05:00 или позже (тихие часы получателей)',
    })
    expect(receiptWords('en', 'sms', waits('online'), clock)).to.equal('waits until they are online; it expires 05:00')
    expect(receiptWords('ru', 'sms', waits('online'), clock)).to.equal(
      'ждёт, отправим, когда появится в сети; срок выйдет 05:00',
    )
    for (const language of languages) {
      const still = wordsIn(language).receipts.pending
      expect(receiptWords(language, 'sms', { state: 'pending' })).to.equal(still)
      for (const cause of waveCauses)
        expect(receiptWords(language, 'sms', waits(cause)))
          .to.include(at)
          .and.not.equal(still)
    }
  })

  it('says with which message it went, and that this is why it was earlier', () => {
    const receipt = { state: 'delivered' as const, sentWith: '07.dean.first-message' as HistoryKey }
    expect(languages.map((language) => wholeReceiptWords(language, 'sms', receipt))).to.deep.equal([
      'доставлено, одним сообщением с 07.dean.first-message, чей срок настал раньше',
      'delivered, in one message with 07.dean.first-message, which was due first',
    ])
  })

  it('says it of each channel of a person', () => {
    const channels: ReceiptView['channels'] = {
      sms: waits('exam'),
      telegram: { state: 'pending' },
      vk: { state: 'no-contact' },
    }
    expect(personWords('en', { channels }, clock)).to.equal(
      'SMS: waits until 05:00 or later (an exam of the recipients), Telegram: still being sent',
    )
  })
})
