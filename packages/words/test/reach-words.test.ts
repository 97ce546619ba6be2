import type { RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { gettingIn, reachWords } from '../src/index.ts'

const plan = {
  asOf: '2026-09-01T08:00:00Z',
  now: 50,
  later: [{ people: 2 }],
  never: [{ people: 3, why: 'no-contact' }],
}
const view = (more: object = {}) =>
  ({ people: 55, reachable: 52, overlap: 0, plan, ...more }) as unknown as RehearsalView

describe('whom a message will be sent to, in words', () => {
  it('how many get it and how many do not, also those who get it later', () => {
    expect(reachWords('ru', view(), 1).sentence).to.equal('Отправим 52 из 55 · 3 человека не получат')
    expect(reachWords('en', view(), 1).sentence).to.equal(
      'We will send it to 52 of 55 people · 3 people will not get it',
    )
    const all = view({ plan: { ...plan, now: 53, never: [] } })
    expect(reachWords('ru', all, 1)).to.deep.equal({ sentence: 'Отправим 55 из 55', overlap: undefined })
  })

  it('of nobody it promises nothing', () => {
    const none = view({
      people: 5000,
      reachable: 0,
      plan: { ...plan, now: 0, later: [], never: [{ people: 5000, why: 'no-contact' }] },
    })
    expect(gettingIn(none)).to.equal(0)
    expect(reachWords('ru', none, 1).sentence).to.equal('Отправить некому: из 5\u00a0000 человек не получит никто')
    expect(reachWords('en', none, 1).sentence).to.equal(
      'There is nobody to send it to: none of 5,000 people will get it',
    )
  })

  it('a plan of a sample says of shares, so it is who can be reached', () => {
    expect(gettingIn(view({ reachable: 49, plan: { ...plan, sample: 100 } }))).to.equal(49)
  })

  it('of URLs, which have no plan, as many as can be reached', () => {
    const urls = view({ people: 2, reachable: 2, plan: undefined })
    expect(reachWords('en', urls, 1).sentence).to.equal('We will send it to 2 of 2 people')
  })

  it('of two groups how many people are in both, of more how often somebody is in one too many', () => {
    const of = (groups: number) => reachWords('ru', view({ overlap: 4 }), groups).overlap
    expect(of(2)).to.equal('4 человека есть в нескольких группах; каждому отправим один раз')
    expect(of(3)).to.equal('Некоторые есть в нескольких группах, повторов: 4; каждому отправим один раз')
  })
})
