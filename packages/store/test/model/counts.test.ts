import { expect } from 'chai'
import { firstState, next, type Rules, type State } from './counts-model.ts'
import { inAnyOrder } from './explore.ts'

const right: Rules = { contests: true, recordsFirst: true, forgetsFinal: true, allowsFirst: true }

/** What is wrong with a state, if anything is. */
function faultOf({ verdicts, bytes, diary }: State, isLast: boolean): string | undefined {
  if (verdicts[0] === 'accepted' && verdicts[1] === 'accepted') return 'both were sent'
  for (const [message, byte] of bytes.entries()) {
    const other = 1 - message
    if (isLast && byte === 'suppressed' && verdicts[other] !== 'accepted' && !diary[other]?.isContested)
      return 'refused for what was never sent, and nobody contests it'
  }
  return undefined
}

/** The same for states that differ by which process of a message, or which message, is which. */
const nameOf = (state: State): string =>
  `${inAnyOrder(both.map((message) => messageName(state, message)))} ${state.changesOfMindLeft}${state.crashesLeft}`

const both = [0, 1] as const

function messageName({ processes, owners, ...rest }: State, message: 0 | 1): string {
  const own = both.map((at) => {
    const who = 2 * message + at
    return `${JSON.stringify(processes[who])}${owners[message] === who}`
  })
  const { deliveries, done, bytes, diary, verdicts } = rest
  const facts = [deliveries, done, bytes, diary, verdicts].map((each) => each[message])
  return `${inAnyOrder(own)}${JSON.stringify(facts)}`
}

/** Visits every state that can be reached, the nearest first. @returns the first fault, and how many states there are */
function explore(rules: Rules): { fault: string | undefined; states: number } {
  const seen = new Set([nameOf(firstState)])
  let front = [firstState]
  while (front.length > 0) {
    const ahead: State[] = []
    for (const state of front) {
      const following = next(rules, state)
      const fault = faultOf(state, following.length === 0)
      if (fault) return { fault, states: seen.size }
      for (const each of following) {
        const name = nameOf(each)
        if (!seen.has(name)) ahead.push(each)
        seen.add(name)
      }
    }
    front = ahead
  }
  return { fault: undefined, states: seen.size }
}

describe('model: two messages to somebody who may have one, whoever crashes or freezes wherever', () => {
  it('never both are sent, and none is refused for what was never sent', () => {
    const { fault, states } = explore(right)
    expect(fault).to.equal(undefined)
    expect(states).to.be.above(30_000)
  })

  const planted: [what: string, rules: Partial<Rules>][] = [
    ['contest', { contests: false }],
    ['the recorded outcome before give-back', { recordsFirst: false }],
    ['forgetting only what is final', { forgetsFinal: false }],
    ['allow before the mark', { allowsFirst: false }],
  ]
  for (const [what, rules] of planted) {
    it(`finds that both are sent without ${what}`, () => {
      expect(explore({ ...right, ...rules }).fault).to.equal('both were sent')
    })
  }
})
