import { expect } from 'chai'
import { firstState, isLast, next, type Rules, type State } from './online-model.ts'
import { nameOf } from './online-state-name.ts'

const right: Rules = {
  ownsByByte: true,
  defersByByte: true,
  readsEndFirst: true,
  namesWhatItTook: true,
}

/** What is wrong with a state, if anything is. */
function faultOf({ messages, reports }: State): string | undefined {
  if (messages.some(({ taken }) => taken.length > 1)) return 'sent twice'
  if (messages.filter(({ byte }) => byte === 'k' || byte === 'c').length > reports) return 'more called than reports'
  if (messages.some(({ wasRecordedOver }) => wasRecordedOver)) return 'sent, and said to be over'
  return undefined
}

/** Visits every state that can be reached. @returns the first fault, and how many states there are */
function explore(rules: Rules): { fault: string | undefined; states: number; isEverLast: boolean } {
  const seen = new Set([nameOf(firstState)])
  const open = [firstState]
  let isEverLast = false
  for (let state = open.pop(); state; state = open.pop()) {
    const following = next(rules, state)
    const isStuck = following.length === 0 && !isLast(state)
    const fault = faultOf(state) ?? (isStuck ? 'somebody is left pending' : undefined)
    if (fault) return { fault, states: seen.size, isEverLast }
    isEverLast ||= isLast(state)
    for (const each of following) {
      const name = nameOf(each)
      if (!seen.has(name)) open.push(each)
      seen.add(name)
    }
  }
  return { fault: undefined, states: seen.size, isEverLast }
}

describe('model: two messages to somebody who is to be online first, whoever crashes wherever', () => {
  it('each goes out once, for a report of its own, or is over', () => {
    const { fault, states, isEverLast } = explore(right)
    expect([fault, isEverLast]).to.deep.equal([undefined, true])
    expect(states).to.be.above(50_000)
  })

  const planted: [what: string, rules: Partial<Rules>, fault: string][] = [
    ['a wave that is for those only who still wait', { ownsByByte: false }, 'sent twice'],
    ['a look at who was called before they are put into the wave', { defersByByte: false }, 'somebody is left pending'],
    ['the end read before who waits', { readsEndFirst: false }, 'sent, and said to be over'],
    ['reports that name what they took', { namesWhatItTook: false }, 'more called than reports'],
  ]
  for (const [what, rules, fault] of planted) {
    it(`finds the fault without ${what}: ${fault}`, () => {
      expect(explore({ ...right, ...rules }).fault).to.equal(fault)
    })
  }
})
