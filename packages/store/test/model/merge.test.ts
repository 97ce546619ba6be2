import { expect } from 'chai'
import { exploreAll, inAnyOrder } from './explore.ts'
import { firstState, next, type Rules, type State } from './merge-model.ts'

/** What is wrong with a state, if anything is. */
function faultOf({ messages, entries, shown }: State, isLast: boolean): string | undefined {
  for (const [at, { byte }] of messages.entries()) {
    const times = shown.filter(({ texts }) => texts.includes(at)).length
    if (times > 1) return 'shown twice'
    if (byte === 'sent' && times === 0) return 'told sent, has it not'
    if (byte === 'cancelled' && times > 0) return 'told cancelled, has it'
    if (isLast && (byte === 'pending' || byte === 'attempting')) return 'lost: left over'
  }
  if (!isLast) return undefined
  if (entries.some(({ open }) => open)) return 'lost: nobody goes on'
  const wasOne = shown.some(({ texts }) => texts.length === messages.length)
  const isSent = messages.filter(({ byte }) => byte === 'sent')
  return wasOne && isSent.length === 1 ? 'told of one alone' : undefined
}

/** With each process stand the entries it owns. */
const nameOf = ({ processes, entries, ...rest }: State): string =>
  JSON.stringify([rest, entries.map(({ owner: _, ...entry }) => entry)]) +
  inAnyOrder(processes.map((process, who) => JSON.stringify([process, entries.map(({ owner }) => owner === who)])))

const explore = (rules: Rules) =>
  exploreAll<State>({ first: [firstState], next: (state) => next(rules, state), faultOf, nameOf })

const right: Rules = {
  marksAll: true,
  looksAtOther: true,
  comparesSets: true,
  keepsSet: true,
  releases: true,
  expiryReleases: true,
  reportsAll: true,
  fenced: true,
  folds: true,
}

describe('model: one message carries another, with a cancel of either and a crash anywhere', () => {
  for (const folds of [true, false])
    it(`both are told truly, and nobody reads one twice, where resends are ${folds ? '' : 'not '}folded`, () => {
      const { fault, states } = explore({ ...right, folds })
      expect(fault).to.equal(undefined)
      expect(states).to.be.above(1000)
    })

  const planted: [what: string, rules: Partial<Rules>, fault: string][] = [
    ['where the mark is of the first alone', { marksAll: false }, 'told cancelled, has it'],
    ['where the mark does not look at the other', { looksAtOther: false }, 'told cancelled, has it'],
    ['where a text of both is sent after they were parted', { comparesSets: false }, 'told cancelled, has it'],
    ['where what is sent again is what is wanted by then', { keepsSet: false }, 'told sent, has it not'],
    ['where a first that ends unmarked releases nobody', { releases: false }, 'lost: left over'],
    [
      'where a first that is cancelled before any process has it releases nobody',
      { expiryReleases: false },
      'lost: left over',
    ],
    ['where a report is of the first alone', { reportsAll: false }, 'told of one alone'],
    ['without the fence', { fenced: false, folds: false }, 'shown twice'],
  ]
  for (const [what, rules, fault] of planted)
    it(`finds the fault ${what}`, () => {
      expect(explore({ ...right, ...rules }).fault).to.equal(fault)
    })
})
