import { expect } from 'chai'
import { budget, firstState, isLeftBehind, next, paidIn, type Rules, type State } from './budget-model.ts'
import { exploreAll } from './explore.ts'

const right: Rules = {
  reservesFirst: true,
  becomesOwner: true,
  endsOwn: true,
  keepsUnknown: true,
  looksAtClaims: true,
  settlesByReceipt: true,
}

const faultOf = (rules: Rules) => (state: State) => {
  if (paidIn(state) > budget) return 'exceeded'
  if (state.spent < paidIn(state)) return 'paid for, and not spent'
  return isLeftBehind(rules, state) ? 'spent for nothing' : undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({ first: [firstState], next: (state) => next(rules, state), faultOf: faultOf(rules) })

describe('model: a budget of two messages, two processes, kills, take-overs, lost replies, looks for what was left', () => {
  it('is never exceeded, and nothing of it is spent on nobody once somebody has looked', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(1000)
  })

  const planted: [what: string, rules: Partial<Rules>, faults: string[]][] = [
    [
      'where people are marked before it is reserved',
      { reservesFirst: false },
      ['exceeded', 'paid for, and not spent'],
    ],
    [
      'where whoever takes a claim over does not become the owner of what is reserved for it',
      { becomesOwner: false },
      ['exceeded', 'paid for, and not spent', 'spent for nothing'],
    ],
    ['where a reservation is ended whoever owns it', { endsOwn: false }, ['exceeded', 'paid for, and not spent']],
    ['where what is unknown is given back', { keepsUnknown: false }, ['exceeded', 'paid for, and not spent']],
    [
      'where what is left is given back of claims that are not over',
      { looksAtClaims: false },
      ['exceeded', 'paid for, and not spent'],
    ],
    [
      'where what is left is given back whatever the receipt says',
      { settlesByReceipt: false },
      ['exceeded', 'paid for, and not spent'],
    ],
  ]
  for (const [what, rules, faults] of planted) {
    it(`finds the fault ${what}`, () => expect(explore({ ...right, ...rules }).fault).to.be.oneOf(faults))
  }
})
