/**
 * One person of a message that is corrected while it is sent, on one channel: two processes, either of which may freeze for longer than its lease, hand
 * back or crash after any step, a press on whichever text the person has seen, a step before this one that may spare it, a cancel and a recall, at any
 * moment. Others on that channel had the older text, so each correction has its leg. Each `rule` left out is an omission.
 */
import {
  isLegSettled,
  isOver,
  type Leg,
  noLeg,
  type State,
  type Text,
  take,
  withLeg,
  withProcess,
} from './corrections-state.ts'
import { type Rules, work } from './corrections-work.ts'

const pendingLeg: Leg = { byte: 'pending', how: '', isOpen: true, owner: null }

/** What may happen to a message at most, but for what processes do with it. */
export type Happening = Pick<
  State,
  'correctionsLeft' | 'recallsLeft' | 'cancelsLeft' | 'asksToConfirm' | 'freezesLeft' | 'givesBackLeft'
>

/** The message runs, and its entry waits; the channel of the step before has shown it. */
export const firstState = (happening: Happening): State => ({
  version: 1,
  recalled: false,
  cancelled: false,
  seenBefore: 1,
  pressed: 0,
  counted: 0,
  legs: [pendingLeg, noLeg, noLeg],
  shown: [],
  taken: [],
  editsNoMore: false,
  processes: [take.idle, take.idle],
  ...happening,
  crashesLeft: 1,
})

export function next(rules: Rules, state: State): State[] {
  return [
    ...corrected(rules, state),
    ...withdrawn(rules, state),
    ...cancelled(state),
    ...expired(rules, state),
    ...pressed(rules, state),
    ...state.processes.flatMap((process, who) => {
      const isCrash = process.at !== 'idle' && !process.isLost && state.crashesLeft > 0
      const crash = isCrash ? [crashed(state, who)] : []
      return [...crash, ...work(rules, state, process, who)]
    }),
  ]
}

/** Another process finds its claim. That one which has lost its claim dies with an answer that nobody else has is a limit of lua/README.md (R). */
function crashed(state: State, who: number): State {
  const { leg } = state.processes[who] as State['processes'][number]
  return withProcess(withLeg({ ...state, crashesLeft: state.crashesLeft - 1 }, leg, { owner: null }), who, take.idle)
}

/** begin-corrections.lua: who is told there, by the byte of the first leg */
function begun({ listsMarked, listsUnknown }: Rules, state: State, version: number): State {
  const { byte } = state.legs[0] as Leg
  const mayHaveIt = byte === 'sent' || (byte === 'attempting' && listsMarked) || (byte === 'unknown' && listsUnknown)
  const leg: Leg = mayHaveIt ? pendingLeg : { byte: 'nothing', how: '', isOpen: false, owner: null }
  return withLeg({ ...state, version }, version - 1, leg)
}

/** correct.lua */
function corrected(rules: Rules, state: State): State[] {
  const { version, correctionsLeft } = state
  if (state.cancelled || correctionsLeft === 0) return []
  if (rules.oneAtATime && version > 1 && !isLegSettled(state, version - 1)) return []
  const after = begun(rules, { ...state, correctionsLeft: correctionsLeft - 1 }, version + 1)
  return [rules.asksAnew ? { ...after, counted: 0 } : after]
}

/** recall.lua, of a message that runs: it is cancelled, too */
function withdrawn(rules: Rules, state: State): State[] {
  if (state.recallsLeft === 0) return []
  const recallsLeft = state.recallsLeft - 1
  return [begun(rules, { ...state, recallsLeft, cancelled: true, recalled: true }, state.version + 1)]
}

/** cancel.lua */
const cancelled = (state: State): State[] =>
  state.cancelled || state.cancelsLeft === 0 ? [] : [{ ...state, cancelled: true, cancelsLeft: state.cancelsLeft - 1 }]

/** expire.lua: whoever is marked is left alone */
const expired = ({ heedsCancel }: Rules, state: State): State[] =>
  state.legs.flatMap(({ byte }, at) =>
    heedsCancel && byte === 'pending' && isOver(state, at) ? [withLeg(state, at, { byte: 'stopped' })] : [],
  )

/** On the channel of the step before, whose own correction brings the newest text at some moment; a press comes some time after it was made. */
function pressed(rules: Rules, state: State): State[] {
  if (!state.asksToConfirm) return []
  const text = textOf(state)
  const following: State[] = []
  if (state.seenBefore < text) following.push({ ...state, seenBefore: text })
  if (state.pressed < state.seenBefore) following.push({ ...state, pressed: state.seenBefore })
  if (state.pressed > 0 && state.counted === 0) {
    if (rules.comparesTexts && state.pressed !== text) return following
    const counted = { ...state, counted: state.pressed }
    // confirm.lua spares whoever waits for a later step
    const isSpared = counted.legs[0]?.byte === 'pending' && !counted.cancelled
    following.push(isSpared ? withLeg(counted, 0, { byte: 'spared' }) : counted)
  }
  return following
}

/** What withdraws a message has a number, and no text. */
export const textOf = ({ version, recalled }: State): Text => (recalled ? version - 1 : version)
