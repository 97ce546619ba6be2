/**
 * One resource of one subscription, two notifiers and a receiver, step by step as marks.ts, look.ts, deliver.ts and the scripts of lua/ do it;
 * every step may be the last before a crash, and a lease may run out under a notifier that is merely frozen, or has nothing in hand. Nothing here
 * is random: next() tells every state that can follow. The resource is a history: it runs until its last change, and what is told while it runs may be put off.
 */
export interface Rules {
  /** what is written is refused when the lease has gone to another */
  readonly fenced: boolean
  /** a lease that has run out is taken anew by whoever has nothing in hand alone */
  readonly renewsHeld: boolean
  /** that it was marked is forgotten only where the resource is read after it */
  readonly forgetsToRead: boolean
  /** what was marked while somebody was at it stays due */
  readonly looksAgain: boolean
  /** a mark that was made anew since it was read is not taken away */
  readonly numbersMarks: boolean
  /** a body is kept before it is sent */
  readonly keepsFirst: boolean
  /** a mark that was made anew is read again without a hint */
  readonly readsAgain: boolean
  /** a mark of what has come to its end calls forward what was put off */
  readonly callsForward: boolean
  /** what was marked while somebody was at it is not put off */
  readonly putsOffUnmarked: boolean
}

interface Body {
  readonly sequence: number
  readonly value: number
}

interface Notifier {
  readonly at: 'idle' | 'look' | 'put-off' | 'keep' | 'send' | 'save'
  readonly told: Body
  readonly body: Body
}

/** what may still happen */
export interface Left {
  readonly changes: number
  readonly crashes: number
  readonly losses: number
}

export interface State {
  readonly value: number
  /** number of the mark; 0 for none */
  readonly mark: number
  readonly marks: number
  /** whoever reads marks was told of one, and has not read since */
  readonly hinted: boolean
  readonly reader: Reader
  /** later: when its time has come */
  readonly due: 'no' | 'now' | 'later'
  readonly again: boolean
  readonly told: Body
  readonly sending: Body | null
  readonly lease: number | null
  readonly notifiers: readonly Notifier[]
  /** what came under each sequence, from 1 */
  readonly received: readonly number[]
  readonly fault: string | null
  readonly left: Left
}

interface Reader {
  readonly at: 'idle' | 'read' | 'asked' | 'noted'
  /** the mark they have read, and whether it was over when they asked after that */
  readonly mark: number
  readonly isOver: boolean
}

const waiting: Reader = { at: 'idle', mark: 0, isOver: false }
const nothing: Body = { sequence: 0, value: 0 }
const idle: Notifier = { at: 'idle', told: nothing, body: nothing }

export const firstState = (left: Left): State => ({
  ...{ value: 0, mark: 0, marks: 0, hinted: false, reader: waiting, due: 'no', again: false, told: nothing },
  ...{ sending: null, lease: null, notifiers: [idle, idle], received: [], fault: null },
  left,
})

export function next(rules: Rules, state: State): State[] {
  const { left } = state
  const all: State[] = []
  const [value, marks] = [state.value + 1, state.marks + 1]
  if (left.changes > 0) {
    const hinted = state.hinted || state.mark === 0
    all.push({ ...state, value, mark: marks, marks, hinted, left: { ...left, changes: left.changes - 1 } })
  }
  all.push(...readingMarks(rules, state))
  // its time has come
  if (state.due === 'later') all.push({ ...state, due: 'now' })
  for (const at of state.notifiers.keys()) all.push(...steps(rules, state, at))
  return all
}

const isOver = ({ left }: State) => left.changes === 0

/** Whether the end is not told yet, and will not be before the time of something has come: of what was put off, or of the look of each second. */
export function waitsForItsTime(state: State): boolean {
  const isTold = (state.received.at(-1) ?? 0) === state.value
  const isAtWork = state.reader.at !== 'idle' || state.notifiers.some(({ at }) => at !== 'idle')
  return isOver(state) && !isTold && !isAtWork && state.due !== 'now' && !(state.mark !== 0 && state.hinted)
}

function readingMarks(rules: Rules, state: State): State[] {
  const { reader, mark, sending } = state
  if (reader.at === 'idle')
    return mark === 0 ? [] : [{ ...state, hinted: false, reader: { ...waiting, at: 'read', mark } }]
  if (reader.at === 'read') return [{ ...state, reader: { ...reader, at: 'asked', isOver: isOver(state) } }]
  if (reader.at === 'asked') {
    const isCalledForward = rules.callsForward && reader.isOver && sending === null
    const due = state.due === 'no' || isCalledForward ? 'now' : state.due
    return [{ ...state, due, again: true, reader: { ...reader, at: 'noted' } }]
  }
  const isTaken = !rules.numbersMarks || mark === reader.mark
  const hinted = state.hinted || (!isTaken && rules.readsAgain)
  return [{ ...state, mark: isTaken ? 0 : mark, hinted, reader: waiting }]
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
  // it was told of less than a second ago, and runs
  if (own.at === 'look' && own.told.sequence > 0 && !isOver(state)) following.push(as({ ...own, at: 'put-off' }))
  if (left.crashes > 0 && (own.at !== 'idle' || state.lease === at)) {
    const spent = { ...left, crashes: left.crashes - 1 }
    following.push(as(idle, { lease: state.lease === at ? null : state.lease, left: spent }))
    // or it is frozen, and its lease runs out
    if (state.lease === at) following.push({ ...state, lease: null, left: spent })
  }
  // nobody renews the lease of what is in nobody's hands
  if (own.at === 'idle' && state.lease === at) following.push({ ...state, lease: null })
  if (own.at !== 'idle' && state.lease === null && !rules.renewsHeld) following.push({ ...state, lease: at })
  const lost = { left: { ...left, losses: left.losses - 1 } }
  if (left.losses > 0 && own.at === 'send') following.push(as(idle, lost))
  if (left.losses > 0 && own.at === 'save') following.push(as(idle, lost))
  return following
}

type As = (notifier: Notifier, changes?: Partial<State>) => State

function take(rules: Rules, state: State, at: number, as: As): State[] {
  if (state.due !== 'now' || (state.lease !== null && state.lease !== at)) return []
  const again = state.again && rules.forgetsToRead && state.sending !== null
  const { told, sending } = state
  return [as({ at: sending ? 'send' : 'look', told, body: sending ?? nothing }, { lease: at, again })]
}

function work(rules: Rules, state: State, at: number, own: Notifier, as: As): State {
  const mayWrite = !rules.fenced || state.lease === at
  const { told, body } = own
  const dueAgain = rules.looksAgain && state.again ? 'now' : 'no'
  if (own.at === 'look') return as({ ...own, at: 'keep', body: { sequence: told.sequence + 1, value: state.value } })
  if (own.at === 'put-off') {
    if (!mayWrite) return as(idle)
    return as(idle, { due: state.again && rules.putsOffUnmarked ? 'now' : 'later' })
  }
  if (own.at === 'keep') {
    if (!mayWrite) return as(idle)
    if (body.value === told.value) return as(idle, { due: dueAgain })
    return as({ ...own, at: 'send' }, rules.keepsFirst ? { sending: body } : {})
  }
  if (own.at === 'send') return as({ ...own, at: 'save' }, receive(state, body))
  if (!mayWrite) return as(idle)
  return as(idle, { told: body, sending: null, due: dueAgain })
}

function receive({ received, fault }: State, { sequence, value }: Body): Partial<State> {
  const known = received[sequence - 1]
  if (known !== undefined) return { fault: known === value ? fault : 'two bodies under one sequence' }
  if (sequence > received.length + 1) return { fault: 'a gap' }
  return { received: [...received, value] }
}
