import { expect } from 'chai'
import { firstState, next, type Rules, type State } from './deliveries-model.ts'

/** Visits every state that can be reached. @returns the faults, and how many states there are */
function explore(rules: Rules): { faults: Set<string>; states: number } {
  const seen = new Set([JSON.stringify(firstState)])
  const open: State[] = [firstState]
  const faults = new Set<string>()
  for (let state = open.pop(); state; state = open.pop()) {
    const following = next(rules, state)
    if (state.fault) faults.add(state.fault)
    const isOver = following.length === 0
    if (isOver && (state.received.at(-1) ?? 0) !== state.value) faults.add('the last change was not told')
    for (const each of following) {
      const name = JSON.stringify(each)
      if (seen.has(name)) continue
      seen.add(name)
      open.push(each)
    }
  }
  return { faults, states: seen.size }
}

const right: Rules = { fenced: true, forgetsToRead: true, looksAgain: true, numbersMarks: true, keepsFirst: true }

describe('model: a resource, two notifiers, a receiver, a crash anywhere', () => {
  it('the last change is told, no sequence is left out, and none has two bodies', () => {
    const { faults, states } = explore(right)
    expect([...faults]).to.deep.equal([])
    expect(states).to.be.above(1000)
  })

  const planted: [what: string, rules: Partial<Rules>, fault: string][] = [
    ['where a frozen notifier may write', { fenced: false }, 'two bodies under one sequence'],
    ['where a mark is forgotten of what is only sent again', { forgetsToRead: false }, 'the last change was not told'],
    ['where nobody looks again', { looksAgain: false }, 'the last change was not told'],
    ['where any mark is taken away', { numbersMarks: false }, 'the last change was not told'],
    ['where a body is sent before it is kept', { keepsFirst: false }, 'two bodies under one sequence'],
  ]
  for (const [what, rules, fault] of planted)
    it(`finds the fault ${what}`, () => {
      expect([...explore({ ...right, ...rules }).faults]).to.include(fault)
    })
})
