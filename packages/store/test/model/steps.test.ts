import { expect } from 'chai'
import { exploreAll } from './explore.ts'
import { firstState, isReached, isSettled, next, type Rules, type State } from './steps-model.ts'

const right: Rules = {
  marksByCondition: true,
  sparesAtOnce: true,
  heedsConfirmations: true,
  comesOnce: true,
  waitsForAll: true,
  staysOpen: true,
  heedsCancel: true,
}

function faultOf(rules: Rules, state: State, isLast: boolean): string | undefined {
  if (state.fault) return state.fault
  if (state.shown > 1) return 'shown twice'
  const isLeft = state.later === 'pending' || state.later === 'attempting'
  if (isSettled(rules, state) && isLeft) return 'done with somebody left'
  if (
    isReached(state) &&
    !state.cancelled &&
    state.later === 'pending' &&
    state.former.every((byte) => byte !== 'pending')
  )
    return 'reached, and kept waiting'
  if (state.hasCome && state.former.includes('attempting') && !state.cancelled) return 'begun before all had answered'
  return isLast && (!isSettled(rules, state) || state.claimed.includes(true)) ? 'never done' : undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({
    first: [firstState],
    next: (state) => next(rules, state),
    faultOf: (state, isLast) => faultOf(rules, state, isLast),
  })

describe('model: the steps of a message, two processes, receipts, confirmations and cancels at any moment', () => {
  it('no mark follows a receipt, everybody comes to a step once, and nobody is left', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(500)
  })

  it('either of the two is enough that no mark follows a receipt; both are wanted, for who is reached is to wait no more', () => {
    expect(explore({ ...right, marksByCondition: false }).fault).to.equal(undefined)
    expect(explore({ ...right, sparesAtOnce: false }).fault).to.equal('reached, and kept waiting')
  })

  const planted: [what: string, rules: Partial<Rules>, faults: string[]][] = [
    [
      'where only the process looks at the receipts, before the mark',
      { marksByCondition: false, sparesAtOnce: false },
      ['marked after a receipt', 'reached, and kept waiting'],
    ],
    [
      'where a confirmation is no receipt',
      { heedsConfirmations: false },
      ['marked after a receipt', 'reached, and kept waiting'],
    ],
    ['where it is not kept who has come', { comesOnce: false }, ['shown twice', 'done with somebody left']],
    ['where a step begins with the first answer', { waitsForAll: false }, ['begun before all had answered']],
    ['where a step is done when nothing of it is open', { staysOpen: false }, ['done with somebody left']],
    ['where a cancel does not reach the later step', { heedsCancel: false }, ['marked after a cancel', 'never done']],
  ]
  for (const [what, rules, faults] of planted) {
    it(`finds the fault ${what}`, () => expect(explore({ ...right, ...rules }).fault).to.be.oneOf(faults))
  }
})
