import { expect } from 'chai'
import { firstState, type Left, next, type Rules, type State, waitsForItsTime } from './deliveries-model.ts'

const troubled: Left = { changes: 2, crashes: 1, losses: 1 }
/** it is told to run, then put off, then over */
const putOff: Left = { changes: 3, crashes: 0, losses: 0 }
/** one is frozen, and has what it told written over what another has told since; the third shows it */
const frozen: Left = { changes: 3, crashes: 1, losses: 0 }

/** Visits every state that can be reached. @returns the faults, and how many states there are */
function explore(rules: Rules, left: Left): { faults: Set<string>; states: number } {
  const first = firstState(left)
  const seen = new Set([JSON.stringify(first)])
  const open: State[] = [first]
  const faults = new Set<string>()
  for (let state = open.pop(); state; state = open.pop()) {
    const following = next(rules, state)
    if (state.fault) faults.add(state.fault)
    const isOver = following.length === 0
    if (isOver && (state.received.at(-1) ?? 0) !== state.value) faults.add('the last change was not told')
    if (waitsForItsTime(state)) faults.add('the end waits for its time')
    for (const each of following) {
      const name = JSON.stringify(each)
      if (seen.has(name)) continue
      seen.add(name)
      open.push(each)
    }
  }
  return { faults, states: seen.size }
}

const right: Rules = {
  ...{ fenced: true, renewsHeld: true, forgetsToRead: true, looksAgain: true, numbersMarks: true, keepsFirst: true },
  ...{ readsAgain: true, callsForward: true, putsOffUnmarked: true },
}

describe('model: a resource, two notifiers, a receiver, a crash anywhere', () => {
  it('the last change is told and waits for no time, no sequence is left out, and none has two bodies', () => {
    for (const left of [troubled, putOff, frozen]) {
      const { faults, states } = explore(right, left)
      expect([...faults]).to.deep.equal([])
      expect(states).to.be.above(1000)
    }
  })

  const planted: [what: string, rules: Partial<Rules>, fault: string][] = [
    ['where a frozen notifier may write', { fenced: false }, 'two bodies under one sequence'],
    ['where who was frozen takes its lease anew', { renewsHeld: false }, 'two bodies under one sequence'],
    ['where a mark is forgotten of what is only sent again', { forgetsToRead: false }, 'the last change was not told'],
    ['where nobody looks again', { looksAgain: false }, 'the last change was not told'],
    ['where any mark is taken away', { numbersMarks: false }, 'the last change was not told'],
    ['where a body is sent before it is kept', { keepsFirst: false }, 'two bodies under one sequence'],
    ['where a mark that was made anew is left to the next look', { readsAgain: false }, 'the end waits for its time'],
    ['where what was put off keeps its time', { callsForward: false }, 'the end waits for its time'],
    ['where what was marked meanwhile is put off', { putsOffUnmarked: false }, 'the end waits for its time'],
  ]
  for (const [what, rules, fault] of planted)
    it(`finds the fault ${what}`, () => {
      const faults = [troubled, putOff, frozen].flatMap((left) => [...explore({ ...right, ...rules }, left).faults])
      expect(faults).to.include(fault)
    })
})
