import { expect } from 'chai'
import { firstState, type Happening, next, textOf } from './corrections-model.ts'
import { type Byte, isRecall, legOf, type State } from './corrections-state.ts'
import type { Rules } from './corrections-work.ts'
import { exploreAll, inAnyOrder } from './explore.ts'

const isAtRest = ({ processes, legs }: State) =>
  processes.every(({ at }) => at === 'idle') && legs.every(({ isOpen }) => !isOpen)

/** What the history says of somebody who has no older text, or nothing. */
const saysNoOlder = (byte: Byte) => byte === 'nothing' || byte === 'sent'

const notConfirmed = 'counted for a text that they have not confirmed'

/** What is wrong with a state, if anything is. */
function faultOf(state: State): string | undefined {
  const { fault, shown, legs, version, counted } = state
  if (fault) return fault
  const text = textOf(state)
  if (counted !== 0 && counted !== text) return notConfirmed
  for (const each of shown) if (shown.filter((other) => other.text === each.text).length > 1) return 'told twice'
  if (!isAtRest(state)) return undefined
  if (legs.some(({ byte }) => byte === 'pending' || byte === 'attempting')) return 'lost: left over'
  const newest = legOf(state, version - 1)
  if (isRecall(state, version - 1)) return shown.length > 0 && saysNoOlder(newest.byte) ? 'has it, unlisted' : undefined
  const hasOlderAlone = shown.length > 0 && shown.every((each) => each.text < text)
  return version > 1 && hasOlderAlone && saysNoOlder(newest.byte) ? 'has an older text, unlisted' : undefined
}

/** Each beside a crash, and what processes do. */
const scenes = {
  'two corrections': {
    correctionsLeft: 2,
    recallsLeft: 0,
    cancelsLeft: 0,
    asksToConfirm: false,
    freezesLeft: 1,
    givesBackLeft: 1,
  },
  'a correction and a recall': {
    correctionsLeft: 1,
    recallsLeft: 1,
    cancelsLeft: 0,
    asksToConfirm: false,
    freezesLeft: 1,
    givesBackLeft: 0,
  },
  'a correction, confirmations and a cancel': {
    correctionsLeft: 1,
    recallsLeft: 0,
    cancelsLeft: 1,
    asksToConfirm: true,
    freezesLeft: 0,
    givesBackLeft: 1,
  },
} as const satisfies Record<string, Happening>
type Scene = keyof typeof scenes

/** With each process stand the legs it owns. */
const nameOf = ({ processes, legs, ...rest }: State): string =>
  JSON.stringify([rest, legs.map(({ owner: _, ...leg }) => leg)]) +
  inAnyOrder(processes.map((process, who) => JSON.stringify([process, legs.map(({ owner }) => owner === who)])))

const explore = (scene: Scene, rules: Rules) =>
  exploreAll<State>({ first: [firstState(scenes[scene])], next: (state) => next(rules, state), faultOf, nameOf })

const right: Rules = {
  fences: true,
  fencesRepeats: true,
  listsMarked: true,
  listsUnknown: true,
  awaitsAnswer: true,
  releases: true,
  keepsUncorrected: true,
  looksAgain: true,
  reportsMessagesAlone: true,
  comparesTexts: true,
  asksAnew: true,
  oneAtATime: true,
  awaitsEdits: true,
  heedsCancel: true,
  fenced: true,
  correctsInTime: true,
  folds: true,
  edits: true,
}
const sms: Partial<Rules> = { folds: false, edits: false }
const [corrected, withdrawn, confirmed] = Object.keys(scenes) as [Scene, Scene, Scene]
const isListed = ['has an older text, unlisted', 'has it, unlisted']

describe('model: a message is corrected and withdrawn, with confirmations, a cancel and a crash anywhere', () => {
  for (const scene of [corrected, withdrawn, confirmed])
    for (const [channel, of] of [
      ['that edits and folds resends', {}],
      ['that does neither', sms],
    ] as const)
      it(`${scene}: nobody is marked with an older text or has one unlisted, on a channel ${channel}`, () => {
        const { fault, states } = explore(scene, { ...right, ...of })
        expect(fault).to.equal(undefined)
        expect(states).to.be.above(1000)
      })

  const planted: [what: string, scene: Scene, rules: Partial<Rules>, faults: string[]][] = [
    ['where the mark does not look at the text', corrected, { fences: false }, ['marked with an older text']],
    ['where a mark that is repeated does not', corrected, { fencesRepeats: false }, ['marked with an older text']],
    ['where nobody lists who is marked', corrected, { listsMarked: false }, isListed],
    ['where nobody lists who is unknown', corrected, { ...sms, listsUnknown: false }, isListed],
    ['where an answer is not awaited', withdrawn, { awaitsAnswer: false }, [...isListed, 'told twice']],
    ['where whoever is given back is corrected, too', corrected, { ...sms, releases: false }, ['told twice']],
    ['where a refusal is the last word', corrected, { keepsUncorrected: false }, isListed],
    ['where a report between the look and the receipt is passed over', corrected, { looksAgain: false }, isListed],
    ['where an edit counts as done while it is made again', withdrawn, { reportsMessagesAlone: false }, isListed],
    ['where a confirmation counts for whichever text there is', confirmed, { comparesTexts: false }, [notConfirmed]],
    ['where what was confirmed stays so', confirmed, { asksAnew: false }, [notConfirmed]],
    ['where a correction begins during another', corrected, { oneAtATime: false }, [...isListed, 'told twice']],
    ['where a recall does not wait for an edit', withdrawn, { awaitsEdits: false }, isListed],
    ['where a cancel does not reach the mark', confirmed, { heedsCancel: false }, ['marked after a cancel']],
    ['without the fence of the claim', corrected, { ...sms, fenced: false }, ['told twice', ...isListed]],
    [
      'where what corrects somebody may be late by more than a lease',
      withdrawn,
      { correctsInTime: false },
      [...isListed, 'told twice'],
    ],
  ]
  for (const [what, scene, rules, faults] of planted)
    it(`finds the fault ${what}`, () => {
      expect(explore(scene, { ...right, ...rules }).fault).to.be.oneOf(faults)
    })
})
