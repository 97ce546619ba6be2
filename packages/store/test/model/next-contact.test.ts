import { expect } from 'chai'
import { exploreAll } from './explore.ts'
import { firstState, next, type Rules, type State } from './next-contact-model.ts'

const right: Rules = {
  beginsAtOnce: true,
  onlyCertain: true,
  knowsItsTries: true,
  knowsOtherClaims: true,
  namesContacts: true,
  keepsTries: true,
}

function faultOf(state: State, isLast: boolean): string | undefined {
  if (state.fault) return state.fault
  if (state.calls.some((calls) => calls > 1)) return 'sent twice to one contact'
  if (!isLast) return undefined
  if (state.receipt === 'pending' || state.receipt === 'attempting') return 'never done'
  if (state.receipt === 'failed' && state.attempts[1] === 'none') return 'the other never tried'
  return state.attempts.includes('delivered') && state.receipt === 'failed' ? 'reached, and told failed' : undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({ first: [firstState], next: (state) => next(rules, state), faultOf })

describe('model: the next contact, its claims taken over, replies lost and reports at any moment', () => {
  it('it is tried only where the first has certainly failed, once, and nobody is left or told of the wrong one', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(500)
  })

  it('of the two by which it is known whose word is heeded either is enough, as long as a claim is an entry', () => {
    expect(explore({ ...right, knowsItsTries: false }).fault).to.equal(undefined)
    expect(explore({ ...right, knowsOtherClaims: false }).fault).to.equal(undefined)
  })

  const planted: [what: string, rules: Partial<Rules>, faults: string[]][] = [
    ['where the next is begun in a later step, which never comes', { beginsAtOnce: false }, ['the other never tried']],
    [
      'where whoever is in doubt is sent it at the other',
      { onlyCertain: false },
      ['while in doubt', 'after a receipt'],
    ],
    [
      'where an answer that is said again, or whoever takes over, is heeded whatever it is of',
      { knowsOtherClaims: false, knowsItsTries: false },
      ['told of another'],
    ],
    ['where a report names no contact', { namesContacts: false }, ['told of another', 'after a receipt']],
    ['where it is not kept which were tried', { keepsTries: false }, ['sent twice to one contact']],
  ]
  for (const [what, rules, faults] of planted)
    it(`finds the fault ${what}`, () => expect(explore({ ...right, ...rules }).fault).to.be.oneOf(faults))
})
