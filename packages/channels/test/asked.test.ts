import { smsPartsOf } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { askedOn } from '../src/asked.ts'

describe('what is asked for below a text', () => {
  it('stands there where the channel has no buttons, in the alphabet of the text', () => {
    expect(askedOn('sms', 'Экзамен в понедельник', true, '47')).to.equal(
      'Экзамен в понедельник\nПрочитано: ответьте ДА 47',
    )
    expect(askedOn('sms', 'The exam is on Monday', true, '47')).to.equal(
      'The exam is on Monday\nI have read this: reply YES 47',
    )
    const button = { ru: 'Приду', en: 'I will come' }
    expect(askedOn('sms', 'Собрание', { button }, '12')).to.equal('Собрание\nПриду: ответьте ДА 12')
  })

  it('is nothing on other channels, and where nobody is asked', () => {
    for (const channel of ['telegram', 'vk', 'mail', 'http']) expect(askedOn(channel, 'x', true)).to.equal('x')
    expect(askedOn('sms', 'x', undefined)).to.equal('x')
  })

  it('is as long before the number is known, and keeps a Latin text Latin', () => {
    for (const text of ['Экзамен', 'Exam'])
      expect(askedOn('sms', text, true)).to.have.length(askedOn('sms', text, true, '99').length)
    expect(smsPartsOf(askedOn('sms', 'x'.repeat(120), true)).encoding).to.equal('gsm')
  })
})
