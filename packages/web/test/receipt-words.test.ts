import type { ReceiptView } from '@courier-fleet/api-types'
import { reasons } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { receiptWords } from '../src/parts/receipt-words.ts'
import { en } from '../src/texts/en.ts'
import { ru } from '../src/texts/ru.ts'

describe('why somebody was not reached', () => {
  const receipt = (channels: ReceiptView['channels']): ReceiptView => ({ ordinal: 0, person: 'anna', channels })

  it('has words for every reason in every language', () => {
    for (const words of [en, ru]) expect(words.reasons).to.include.all.keys(reasons)
  })

  it('says the reason, and what the provider said behind it', () => {
    const { channels } = receipt({
      telegram: { state: 'failed', reason: 'blocked', detail: 'USER_IS_BLOCKED' },
      vk: { state: 'suppressed', reason: 'opted-out' },
      sms: { state: 'no-contact' },
    })
    expect(receiptWords(en, receipt(channels))).to.equal(
      `Telegram: ${en.receipts.failed} (has blocked us: USER_IS_BLOCKED); ` +
        `VK: ${en.receipts.suppressed} (asked us to stop)`,
    )
  })
})
