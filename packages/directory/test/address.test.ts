import { expect } from 'chai'
import { normaliseAddress } from '../src/address.ts'

describe('telephone numbers as people write them', () => {
  it('are one number however they are spelled', () => {
    for (const text of [
      '+79001234567',
      '+7 (900) 123-45-67',
      '8 900 123 45 67',
      '79001234567',
      '9001234567',
      '8 10 7 900 1234567',
      '+7 8 900 123-45-67',
      '＋７９００１２３４５６７',
      '\u00a0+7\u2011900\u00a0123 45 67',
    ])
      expect(normaliseAddress('sms', text, 'RU'), text).to.equal('+79001234567')
  })

  it('keep their country where another one is meant without', () => {
    for (const text of ['+79001234567', '＋79001234567', '＋７９００１２３４５６７', '0079001234567'])
      expect(normaliseAddress('sms', text, 'DE'), text).to.equal('+79001234567')
  })

  it('are refused where they may be anybody else’s', () => {
    for (const text of [
      '+89001234567',
      '380501234567',
      '+79001234567 доб. 5',
      '8 900 123 45 67 / 8 901 123 45 67',
      '112',
    ])
      expect(() => normaliseAddress('sms', text, 'RU'), text).to.throw('is not a telephone number')
  })
})
