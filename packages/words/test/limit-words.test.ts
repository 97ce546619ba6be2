import { expect } from 'chai'
import { limitWords, spanWords } from '../src/limit-words.ts'

const until = '2026-09-01T06:00:00.000Z'
const free = { settings: 3, n: 2, until }
const moment = (ms: number) => new Date(ms).toISOString().slice(11, 16)

describe('which rule says that somebody has had enough', () => {
  it('is told with its numbers and when there is room again, in both languages', () => {
    const words = (reason: Parameters<typeof limitWords>[1], limit: Parameters<typeof limitWords>[2]) =>
      (['en', 'ru'] as const).map((language) => limitWords(language, reason, limit, moment))
    expect(words('capped', { ...free, per: 'day', type: 'news' })).to.deep.equal([
      'at most 2 of the type "news" a day; room again 06:00',
      'сообщений типа «news» — не больше 2 в день; снова можно 06:00',
    ])
    expect(words('capped', { ...free, per: 'P7D' })).to.deep.equal([
      'at most 2 of any type within 7 days; room again 06:00',
      'сообщений всех типов — не больше 2 за 7 дней; снова можно 06:00',
    ])
    expect(words('too-soon', { ...free, n: 1, per: 'PT30M' })).to.deep.equal([
      'at least 30 minutes between two of any type; room again 06:00',
      'промежуток для сообщений всех типов — не меньше чем 30 минут; снова можно 06:00',
    ])
    expect(words('not-important', { ...free, per: 'day' })).to.deep.equal([
      'after 2 in a day only important ones; room again 06:00',
      'после 2 за день — только важные; снова можно 06:00',
    ])
    expect(words('duplicate', { ...free, per: 'P1D', earlier: { at: '2026-09-01T05:02:00.000Z' } })).to.deep.equal([
      'the same text went out 05:02',
      'такой же текст ушёл 05:02',
    ])
  })

  it('lengths of time are spelled out', () => {
    expect(spanWords('en', 'P1DT1H1M1S')).to.equal('1 day 1 hour 1 minute 1 second')
    expect(spanWords('ru', 'P2DT5H21M3S')).to.equal('2 дня 5 часов 21 минуту 3 секунды')
  })
})
