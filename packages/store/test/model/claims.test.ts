import { expect } from 'chai'
import { firstState, next, type Rules, type State } from './claims-model.ts'
import { exploreAll } from './explore.ts'

/** What is wrong with a state, if anything is. */
function faultOf(rules: Rules, state: State, isLast: boolean): string | undefined {
  for (const [i, byte] of state.bytes.entries()) {
    if (byte === 'sent' && state.verdicts[i] !== 'accepted') return 'told sent, was not accepted'
    // whoever knows better may still say so, unless nobody does any more
    if (isLast && byte === 'failed' && state.verdicts[i] === 'accepted' && !state.forgotten[i])
      return 'told failed, was accepted'
    if (byte === 'unknown' && rules.folds) return 'told unknown where asking again was harmless'
    if ((state.shown[i] as number) > 1) return 'shown twice'
    if (state.open === 0 && (byte === 'pending' || byte === 'attempting')) return 'lost: done with someone left'
  }
  if (state.open < 0) return 'counted as done twice'
  if (isLast && state.open > 0) return 'lost: nobody goes on'
  return undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({
    first: [firstState(rules)],
    next: (state) => next(rules, state),
    faultOf: (state, isLast) => faultOf(rules, state, isLast),
  })

const right = { fenced: true, marksFirst: true, stableKeys: true, reportsAccepted: true, refusalYields: true }

describe('model: a claim, two processes, a provider, a crash anywhere', () => {
  for (const folds of [true, false]) {
    for (const recipients of [1, 2]) {
      it(`nothing lost, told falsely or shown twice: ${recipients}, ${folds ? 'folding' : 'not folding'} resends`, () => {
        const { fault, states } = explore({ ...right, folds, recipients })
        expect(fault).to.equal(undefined)
        expect(states).to.be.above(200)
      })
    }
  }

  const planted: [what: string, rules: Partial<Rules> & { folds: boolean }, faults: string[]][] = [
    ['without the fence', { folds: false, fenced: false }, ['shown twice', 'counted as done twice']],
    ['without the fence, though resends are folded', { folds: true, fenced: false }, ['counted as done twice']],
    ['without the mark before sending', { folds: false, marksFirst: false }, ['shown twice']],
    ['with keys of each process’s own', { folds: true, stableKeys: false }, ['shown twice']],
    ['where nobody reports what was accepted', { folds: true, reportsAccepted: false }, ['told failed, was accepted']],
    ['where a refusal is the last word', { folds: true, refusalYields: false }, ['told failed, was accepted']],
  ]
  for (const [what, rules, faults] of planted) {
    it(`finds the fault ${what}`, () => {
      expect(explore({ ...right, recipients: 2, ...rules }).fault).to.be.oneOf(faults)
    })
  }
})
