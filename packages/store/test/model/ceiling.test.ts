import { expect } from 'chai'
import { accountedIn, ceiling, firstState, next, paidIn, type Rules, type State } from './ceiling-model.ts'
import { exploreAll } from './explore.ts'

const right: Rules = {
  looksAsItMarks: true,
  spendsOnce: true,
  givesBack: true,
  givesBackOnce: true,
  keepsUnknown: true,
  keepsParts: true,
}

function faultOf(state: State): string | undefined {
  if (paidIn(state) > ceiling) return 'exceeded'
  if (state.spent < paidIn(state)) return 'paid for, and not spent'
  return state.spent > accountedIn(state) ? 'spent for nothing' : undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({ first: [firstState], next: (state) => next(rules, state), faultOf })

describe('model: the ceiling of a message, two processes, kills, lost replies, a cancel at any moment', () => {
  it('is never exceeded, and nothing of it is spent on nobody', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(1000)
  })

  const planted: [what: string, rules: Partial<Rules>, faults: string[]][] = [
    ['where a process looks at what is left before it marks', { looksAsItMarks: false }, ['exceeded']],
    ['where a mark that is written again is spent again', { spendsOnce: false }, ['spent for nothing']],
    ['where nothing is given back', { givesBack: false }, ['spent for nothing']],
    [
      'where an answer that is written again gives back again',
      { givesBackOnce: false },
      ['exceeded', 'paid for, and not spent'],
    ],
    ['where what is unknown is given back', { keepsUnknown: false }, ['exceeded', 'paid for, and not spent']],
    ['where parts that were taken are given back', { keepsParts: false }, ['exceeded', 'paid for, and not spent']],
  ]
  for (const [what, rules, faults] of planted) {
    it(`finds the fault ${what}`, () => expect(explore({ ...right, ...rules }).fault).to.be.oneOf(faults))
  }
})
