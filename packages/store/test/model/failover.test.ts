import { expect } from 'chai'
import { exploreAll } from './explore.ts'
import { firstState, next, type Rules, type State } from './failover-model.ts'

/** What is wrong with a state, if anything is. One failure is allowed for: a crash of a process may leave somebody unknown. */
function faultOf({ master, shown, replica, trouble }: State, isLast: boolean): string | undefined {
  if (shown > 1) return 'shown twice'
  if (master.byte === 'sent' && shown === 0) return 'told sent, was not sent'
  if (!master.open && ['pending', 'attempting'].includes(master.byte)) return 'lost: done with nobody sent to'
  if (master.byte === 'unknown' && shown === 0 && trouble === 'none' && replica) return 'unknown, was never handed over'
  if (!isLast) return undefined
  if (master.open) return 'lost: nobody goes on'
  if (master.byte !== 'sent' && shown > 0 && trouble !== 'crash') return 'known to be sent, told otherwise'
  return undefined
}

const explore = (rules: Rules) =>
  exploreAll<State>({ first: [firstState], next: (state) => next(rules, state), faultOf })

const right: Rules = {
  waitsBeforeSend: true,
  waitsForAnswer: true,
  sameGeneration: true,
  givesBack: true,
  namesGeneration: true,
  reports: true,
}

describe('model: a fail-over to a replica that is behind, on a channel that folds no resends', () => {
  it('nothing lost, told falsely or shown twice, with one fail-over and one crash anywhere', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(1000)
  })

  const planted: [what: string, rules: Partial<Rules>, fault: string][] = [
    ['without WAIT before the send', { waitsBeforeSend: false }, 'shown twice'],
    ['without WAIT for the answer', { waitsForAnswer: false }, 'known to be sent, told otherwise'],
    ['where another master is asked than the one that took the mark', { sameGeneration: false }, 'shown twice'],
    ['where a mark that no replica has is left', { givesBack: false }, 'unknown, was never handed over'],
    [
      'without the generation in the name of the consumer',
      { namesGeneration: false },
      'lost: done with nobody sent to',
    ],
    ['where nobody reports what was accepted', { reports: false }, 'known to be sent, told otherwise'],
  ]
  for (const [what, rules, fault] of planted) {
    it(`finds the fault ${what}`, () => {
      expect(explore({ ...right, ...rules }).fault).to.equal(fault)
    })
  }
})
