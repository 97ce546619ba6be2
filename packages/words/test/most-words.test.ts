import type { Cost, Plan } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { mostWords, spentInAll, spentWords } from '../src/index.ts'

const cost: Cost = {
  people: 227,
  prices: [{ prefix: '+79', perPart: 2_000_000, people: 225 }],
  unpriced: 2,
  currency: 'RUB',
  partsEach: 2,
  parts: 454,
  millionths: 900_000_000,
}
const planOf = (costAtMost?: Cost, sample?: number): Plan => ({
  asOf: '2026-09-01T09:00:00.000Z',
  now: 227,
  later: [],
  never: [],
  ...(costAtMost ? { costAtMost } : {}),
  ...(sample === undefined ? {} : { sample }),
})
const plain = (text = '') => text.replaceAll('\u00a0', ' ')
const both = (...args: [Plan, Parameters<typeof mostWords>[2]?]) =>
  (['en', 'ru'] as const).map((language) => plain(mostWords(language, ...args)))

describe('what SMS may come to, in words', () => {
  it('is said with what is spent, in parts or in money', () => {
    const money = { millionths: 200_000_000, currency: 'RUB', spent: 44_500_000 }
    expect((['en', 'ru'] as const).map((language) => plain(spentWords(language, money)))).to.deep.equal([
      'Spent on SMS: ₽44.50 of ₽200',
      'Потрачено на SMS: 44,50 ₽ из 200 ₽',
    ])
    expect(
      (['en', 'ru'] as const).map((language) => plain(spentWords(language, { parts: 300, spent: 0 }))),
    ).to.deep.equal(['Spent on SMS: 0 of 300 SMS', 'Потрачено на SMS: 0 из 300 SMS'])
  })

  it('is said of all that went out: by the ceiling, which counts corrections, else by steps, which do not', () => {
    const steps = [
      { channels: ['sms'], waiting: 0, sent: 51, spared: 0, cost: { millionths: 219_300_000, currency: 'RUB' } },
    ]
    const ceiling = { millionths: 1_200_000_000, currency: 'RUB', spent: 290_250_000 }
    const text = { text: 'Room 204', at: '2026-09-01T09:00:00.000Z', by: 'dean' }
    const versions = [text, { ...text, text: 'Room 305' }]
    const inBoth = (history: Parameters<typeof spentInAll>[1]) =>
      (['en', 'ru'] as const).map((language) => spentInAll(language, history).map(plain))
    expect(inBoth({ steps, versions, ceiling })).to.deep.equal([
      ['Spent on SMS: ₽290.25 of ₽1,200.'],
      ['Потрачено на SMS: 290,25 ₽ из 1 200 ₽.'],
    ])
    expect(inBoth({ steps, versions })).to.deep.equal([
      ['Spent on SMS, corrections not counted: ₽219.30.'],
      ['Потрачено на SMS, не считая исправлений: 219,30 ₽.'],
    ])
    expect(inBoth({ steps })).to.deep.equal([['Spent on SMS: ₽219.30.'], ['Потрачено на SMS: 219,30 ₽.']])
    expect(inBoth({})).to.deep.equal([[], []])
  })

  it('is said beforehand: the worst case, how much of it may be spent, and that nobody without a price is sent one', () => {
    expect(both(planOf(cost))).to.deep.equal([
      'At most: 2 SMS each, 454 in all, ₽900 (without a price: 2 people)',
      'Не больше: 2 SMS на человека, всего 454, 900 ₽ (без цены: 2 человека)',
    ])
    expect(both(planOf(cost), { ceiling: { millionths: 200_000_000, currency: 'RUB' } })).to.deep.equal([
      'At most: 2 SMS each, 454 in all, ₽900 (without a price: 2 people); it may spend ₽200; whoever has no price is sent no SMS',
      'Не больше: 2 SMS на человека, всего 454, 900 ₽ (без цены: 2 человека); потратить можно 200 ₽; кому нет цены, тем SMS не отправим',
    ])
    const { currency: _currency, millionths: _millionths, ...inParts } = { ...cost, prices: [], unpriced: 227 }
    expect(both(planOf(inParts, 50_000), { ceiling: { parts: 300 }, partsEach: 1 })).to.deep.equal([
      'At most: 1 SMS each, about 227 in all; it may spend 300 SMS',
      'Не больше: 1 SMS на человека, всего примерно 227; потратить можно 300 SMS',
    ])
  })

  it('is nothing where no SMS is sent, or there is no text yet', () => {
    const { partsEach: _partsEach, parts: _parts, ...withoutText } = cost
    expect(both(planOf())).to.deep.equal(['', ''])
    expect(both(planOf(withoutText))).to.deep.equal(['', ''])
  })
})
