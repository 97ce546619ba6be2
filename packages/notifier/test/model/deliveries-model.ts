/**
 * One resource of one subscription, two notifiers and a receiver, step by step as marks.ts, look.ts, deliver.ts and the scripts of lua/ do it;
 * every step may be the last before a crash, and a lease may run out under a notifier that is merely frozen. Nothing here is random: next()
 * tells every state that can follow.
 */
export interface Rules {
  /** what is written is refused when the lease has gone to another */
  readonly fenced: boolean
  /** that it was marked is forgotten only where the resource is read after it */
  readonly forgetsToRead: boolean
  /** what was marked while somebody was at it stays due */
  readonly looksAgain: boolean
  /** a mark that was made anew since it was read is not taken away */
  readonly numbersMarks: boolean
  /** a body is kept before it is sent */
  readonly keepsFirst: boolean
}

interface Body {
  readonly sequence: number
  readonly value: number
}

interface Notifier {
  readonly at: 'idle' | 'look' | 'keep' | 'send' | 'save'
  readonly told: Body
  readonly body: Body
}

export interface State {
  readonly value: number
  /** number of the mark; 0 for none */
  readonly mark: number
  readonly marks: number
  /** whoever reads marks: the one they have read, and whether it is noted */
  readonly read: number
  readonly noted: boolean
  readonly due: boolean
  readonly again: boolean
  readonly told: Body
  readonly sending: Body | null
  readonly lease: number | null
  readonly notifiers: readonly Notifier[]
  /** what came under each sequence, from 1 */
  readonly received: readonly number[]
  readonly fault: string | null
  readonly left: { readonly changes: number; readonly crashes: number; readonly losses: number }
}

const nothing: Body = { sequence: 0, value: 0 }
const idle: Notifier = { at: 'idle', told: nothing, body: nothing }

export const firstState: State = {
  ...{ value: 0, mark: 0, marks: 0, read: 0, noted: false, due: false, again: false, told: nothing, sending: null },
  ...{ lease: null, notifiers: [idle, idle], received: [], fault: null },
  left: { changes: 2, crashes: 1, losses: 1 },
}

export function next(rules: Rules, state: State): State[] {
  const { left } = state
  const all: State[] = []
  const marks = state.marks + 1
  if (left.changes > 0)
    all.push({ ...state, value: state.value + 1, mark: marks, marks, left: { ...left, changes: left.changes - 1 } })
  all.push(...readingMarks(rules, state))
  for (const at of state.notifiers.keys()) all.push(...steps(rules, state, at))
  return all
}

function readingMarks(rules: Rules, state: State): State[] {
  if (state.read === 0) return state.mark === 0 ? [] : [{ ...state, read: state.mark }]
  if (!state.noted) return [{ ...state, due: true, again: true, noted: true }]
  const isTaken = !rules.numbersMarks || state.mark === state.read
  return [{ ...state, mark: isTaken ? 0 : state.mark, read: 0, noted: false }]
}

function steps(rules: Rules, state: State, at: number): State[] {
  const { left } = state
  const own = state.notifiers[at] as Notifier
  const as = (notifier: Notifier, changes: Partial<State> = {}): State => ({
    ...state,
    ...changes,
    notifiers: state.notifiers.map((each, i) => (i === at ? notifier : each)),
  })
  const following = own.at === 'idle' ? take(rules, state, at, as) : [work(rules, state, at, own, as)]
  if (left.crashes > 0 && (own.at !== 'idle' || state.lease === at)) {
    const spent = { ...left, crashes: left.crashes - 1 }
    following.push(as(idle, { lease: state.lease === at ? null : state.lease, left: spent }))
    // or it is frozen, and its lease runs out
    if (state.lease === at) following.push({ ...state, lease: null, left: spent })
  }
  const lost = { left: { ...left, losses: left.losses - 1 } }
  if (left.losses > 0 && own.at === 'send') following.push(as(idle, lost))
  if (left.losses > 0 && own.at === 'save') following.push(as(idle, lost))
  return following
}

type As = (notifier: Notifier, changes?: Partial<State>) => State

function take(rules: Rules, state: State, at: number, as: As): State[] {
  if (!state.due || (state.lease !== null && state.lease !== at)) return []
  const again = state.again && rules.forgetsToRead && state.sending !== null
  const { told, sending } = state
  return [as({ at: sending ? 'send' : 'look', told, body: sending ?? nothing }, { lease: at, again })]
}

function work(rules: Rules, state: State, at: number, own: Notifier, as: As): State {
  const mayWrite = !rules.fenced || state.lease === at
  const { told, body } = own
  if (own.at === 'look') return as({ ...own, at: 'keep', body: { sequence: told.sequence + 1, value: state.value } })
  if (own.at === 'keep') {
    if (!mayWrite) return as(idle)
    if (body.value === told.value) return as(idle, { due: rules.looksAgain && state.again })
    return as({ ...own, at: 'send' }, rules.keepsFirst ? { sending: body } : {})
  }
  if (own.at === 'send') return as({ ...own, at: 'save' }, receive(state, body))
  if (!mayWrite) return as(idle)
  return as(idle, { told: body, sending: null, due: rules.looksAgain && state.again })
}

function receive({ received, fault }: State, { sequence, value }: Body): Partial<State> {
  const known = received[sequence - 1]
  if (known !== undefined) return { fault: known === value ? fault : 'two bodies under one sequence' }
  if (sequence > received.length + 1) return { fault: 'a gap' }
  return { received: [...received, value] }
}
