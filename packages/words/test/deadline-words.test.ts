import { expect } from 'chai'
import { deadlineWords, outcomeWords, shareWords } from '../src/index.ts'

const of = (inTime: number, late: number, within = 'PT30M') => ({ deadline: { within, inTime, late } })

describe('how many were told in time, in words', () => {
  it('is said of those it was sent to, in both languages', () => {
    expect(deadlineWords('en', of(992, 8))).to.deep.equal([
      'In time (30 minutes): 992 of the 1,000 it was sent to, 99.2 %.',
    ])
    expect(deadlineWords('ru', of(31, 1, 'PT1H30M'))).to.deep.equal([
      'В срок (1 час 30 минут): 31 из 32, кому отправлено, 96,8 %.',
    ])
  })

  it('is nothing without a deadline, and before anybody was told', () => {
    expect([...deadlineWords('en', {}), ...deadlineWords('ru', of(0, 0))]).to.deep.equal([])
  })

  it('is never everybody or nobody where one is missing or there', () => {
    const shares = [
      [3000, 3000],
      [2999, 3000],
      [1, 3000],
      [0, 3000],
    ] as const
    expect(shares.map(([part, all]) => shareWords('en', part, all))).to.deep.equal(['100 %', '99.9 %', '0.1 %', '0 %'])
  })

  it('stands in the outcome of a message, beside what its numbers say', () => {
    const people = { delivered: 0, sentToChat: 2, handedOver: 0, pending: 0, toldByVoice: 0, unknown: 0 }
    const history = {
      state: 'settled' as const,
      expected: ['vk'],
      channels: {},
      audience: { size: 2, sha256: '' },
      people: { ...people, notDelivered: 0, withoutContact: 0, why: {}, whyUnknown: {} },
      ...of(1, 1),
    }
    const said = 'In time (30 minutes): 1 of the 2 it was sent to, 50 %.'
    const { sentence, beside } = outcomeWords('en', history)
    expect([sentence.endsWith(said), beside]).to.deep.equal([true, said])
  })
})
