import { expect } from 'chai'
import { exploreAll } from './explore.ts'
import { firstStates, next, type Rules, type State } from './resend-model.ts'

/** What is wrong with a state, if anything is. */
function faultOf(state: State, isLast: boolean): string | undefined {
  const { byte, why, arrived, decisions, reportedDelivered, open } = state
  const hasIt = arrived.includes(true)
  // a person may be wrong, until the provider knows better
  if (byte === 'failed' && hasIt && (why !== 'told' || reportedDelivered)) return 'told failed, has it'
  if (byte === 'delivered' && !hasIt && why !== 'told') return 'told delivered, has it not'
  if (arrived.length > 1 + decisions) return 'sent to more often than was decided'
  if (open < 0) return 'counted as done twice'
  if (isLast && open > 0) return 'lost: nobody goes on'
  if (open === 0 && ['pending', 'attempting', 'to-send-again', 'attempting-again'].includes(byte))
    return 'lost: left over'
  return undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({ first: firstStates(), next: (state) => next(rules, state), faultOf })

const right: Rules = { keepsDoubt: true, usesUp: true, knowsTwo: true, wordYields: true, fenced: true }

describe('model: somebody unknown is sent to again, or told of, with a crash anywhere', () => {
  it('is never told falsely, nor sent to more often than was decided', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(500)
  })

  const planted: [what: string, rules: Partial<Rules>, faults: string[]][] = [
    ['where they are pending again', { keepsDoubt: false }, ['told failed, has it']],
    [
      'where the mark does not use the decision up',
      { usesUp: false },
      ['sent to more often than was decided', 'lost: left over'],
    ],
    ['where a failure of one attempt is taken for both', { knowsTwo: false }, ['told failed, has it']],
    ['where a person has the last word', { wordYields: false }, ['told failed, has it']],
    ['without the fence', { fenced: false }, ['sent to more often than was decided', 'counted as done twice']],
  ]
  for (const [what, rules, faults] of planted)
    it(`finds the fault ${what}`, () => {
      expect(explore({ ...right, ...rules }).fault).to.be.oneOf(faults)
    })
})
