/**
 * One claim, two processes and a provider, step by step as send-job.ts and the scripts of lua/ do it; every step may be the
 * last before a crash, and a lease may run out under a process that is merely slow. Nothing here is random: next() tells
 * every state that can follow.
 */
export interface Rules {
  readonly recipients: number
  /** the provider folds a resend under the same key */
  readonly folds: boolean
  /** record refuses whoever no longer owns the claim */
  readonly fenced: boolean
  /** `attempting` is written before the provider sees anyone */
  readonly marksFirst: boolean
  /** the idempotency key is the same in every process */
  readonly stableKeys: boolean
  /** a process that has lost its claim reports what it knows to have been accepted */
  readonly reportsAccepted: boolean
  /** such a report is taken where another attempt was refused */
  readonly refusalYields: boolean
}

type Byte = 'pending' | 'attempting' | 'sent' | 'failed' | 'unknown'

interface Process {
  readonly at: 'idle' | 'sort' | 'attempt' | 'send' | 'finish'
  /** delivery count of its claim */
  readonly claim: number
  /** what it will write next, by ordinal */
  readonly notes: readonly (Byte | null)[]
  /** ordinals still to be sent to; the first is the one at hand */
  readonly left: readonly number[]
}

export interface State {
  readonly processes: readonly Process[]
  /** Redis: the pending entry and what a claim that is done has moved */
  readonly owner: number | null
  readonly deliveries: number
  readonly open: number
  readonly bytes: readonly Byte[]
  /** the provider: what it has decided, how often a person was shown it, under which keys it came */
  readonly verdicts: readonly ('accepted' | 'refused' | null)[]
  readonly shown: readonly number[]
  readonly keys: readonly (readonly number[])[]
  readonly crashesLeft: number
  /** the provider may accept whom it has refused before: the person has unblocked the sender */
  readonly changesOfMindLeft: number
  /** who was accepted as far as only a process knew that has crashed, or an answer said that was lost */
  readonly forgotten: readonly boolean[]
}

const idle = (rules: Rules): Process => ({ at: 'idle', claim: 0, notes: Array(rules.recipients).fill(null), left: [] })
const set = <T>(list: readonly T[], index: number, value: T): T[] => list.map((old, i) => (i === index ? value : old))

export function firstState(rules: Rules): State {
  const each = <T>(value: T): T[] => Array(rules.recipients).fill(value)
  return {
    processes: [idle(rules), idle(rules)],
    owner: null,
    deliveries: 0,
    open: 1,
    bytes: each<Byte>('pending'),
    verdicts: each(null),
    shown: each(0),
    keys: each([]),
    crashesLeft: 2,
    changesOfMindLeft: 1,
    forgotten: each(false),
  }
}

const mayFollow = (old: Byte, next: Byte): boolean =>
  old === 'pending'
    ? next !== 'pending'
    : old === 'attempting'
      ? true
      : old === 'unknown' && (next === 'sent' || next === 'failed')

/** record.lua: @returns the bytes as they are then, or undefined when fenced */
function record(rules: Rules, state: State, who: number, wanted: readonly (Byte | null)[]): Byte[] | undefined {
  const mine = state.owner === who && state.deliveries === (state.processes[who] as Process).claim
  if (rules.fenced && !mine) return undefined
  return state.bytes.map((old, i) => (wanted[i] && mayFollow(old, wanted[i]) ? wanted[i] : old))
}

export function next(rules: Rules, state: State): State[] {
  return state.processes.flatMap((process, who) => {
    const become = (changed: Partial<Process>, rest: Partial<State> = {}): State => ({
      ...state,
      ...rest,
      processes: set(state.processes, who, { ...process, ...changed }),
    })
    const steps = stepsOf(rules, state, process, who, become)
    if (process.at !== 'idle' && state.crashesLeft > 0) {
      const forgotten = state.forgotten.map((was, i) => was || process.notes[i] === 'sent')
      steps.push(become(idle(rules), { crashesLeft: state.crashesLeft - 1, forgotten }))
    }
    return steps
  })
}

type Become = (changed: Partial<Process>, rest?: Partial<State>) => State

function stepsOf(rules: Rules, state: State, process: Process, who: number, become: Become): State[] {
  const [ordinal] = process.left
  switch (process.at) {
    case 'idle': {
      // a lease runs out when its owner is gone, and, twice at most, when it is only slow
      const ownerAt = state.owner === null ? 'idle' : (state.processes[state.owner] as Process).at
      if (state.open < 1 || (ownerAt !== 'idle' && state.deliveries >= 3)) return []
      const deliveries = state.deliveries + 1
      return [become({ at: 'sort', claim: deliveries }, { owner: who, deliveries })]
    }
    case 'sort': {
      const ambiguous = (byte: Byte) => byte === 'attempting' && !rules.folds
      const notes = state.bytes.map((byte) => (ambiguous(byte) ? 'unknown' : null))
      const left = [...state.bytes.keys()].filter((i) => {
        const byte = state.bytes[i] as Byte
        return byte === 'pending' || (byte === 'attempting' && rules.folds)
      })
      return [become({ at: left.length > 0 ? 'attempt' : 'finish', notes, left })]
    }
    case 'attempt': {
      if (ordinal === undefined) return [become({ at: 'finish' })]
      if (!rules.marksFirst) return [become({ at: 'send' })]
      const bytes = record(rules, state, who, set(process.notes, ordinal, 'attempting'))
      if (!bytes) return [become(idle(rules), report(rules, state, process))]
      const notes = idle(rules).notes
      if (bytes[ordinal] === 'attempting') return [become({ at: 'send', notes }, { bytes })]
      return [become({ notes, left: process.left.slice(1) }, { bytes })]
    }
    case 'send':
      return answers(rules, state, process, who, ordinal as number, become)
    case 'finish': {
      const bytes = record(rules, state, who, process.notes)
      if (!bytes) return [become(idle(rules), report(rules, state, process))]
      return [become(idle(rules), { bytes, owner: null, open: state.open - 1 })]
    }
  }
}

/** report.lua, for a process that has lost its claim: what was accepted stays true, whoever says it. */
function report(rules: Rules, state: State, { notes }: Process): Partial<State> {
  if (!rules.reportsAccepted) return {}
  const yields = (old: Byte) => mayFollow(old, 'sent') || (old === 'failed' && rules.refusalYields)
  return { bytes: state.bytes.map((old, i) => (notes[i] === 'sent' && yields(old) ? 'sent' : old)) }
}

/**
 * The provider decides for each recipient, and may change its mind from no to yes; its answer may be lost on the way back, or the
 * request on the way there. It remembers the keys of what it has accepted.
 */
function answers(rules: Rules, state: State, process: Process, who: number, to: number, become: Become): State[] {
  const left = process.left.slice(1)
  const on = (note: Byte) => ({ at: 'attempt' as const, notes: set(process.notes, to, note), left })
  const again = { at: 'attempt' as const, left: [...left, to] }
  const lost = rules.folds ? again : on('unknown')
  const key = rules.stableKeys ? 0 : who
  const found: State[] = state.crashesLeft > 0 ? [become(lost, { crashesLeft: state.crashesLeft - 1 })] : []
  for (const { verdict, changesOfMindLeft } of verdictsOn(state, to)) {
    const folded = rules.folds && (state.keys[to] as readonly number[]).includes(key)
    const isNew = verdict === 'accepted' && !folded
    const after = {
      changesOfMindLeft,
      verdicts: set(state.verdicts, to, verdict),
      shown: isNew ? set(state.shown, to, (state.shown[to] as number) + 1) : state.shown,
      keys: isNew ? set(state.keys, to, [...(state.keys[to] as readonly number[]), key].sort()) : state.keys,
    }
    const forget = (isForgotten: boolean) => ({ forgotten: set(state.forgotten, to, isForgotten) })
    const told = verdict === 'accepted' ? forget(false) : {}
    found.push(become(on(verdict === 'accepted' ? 'sent' : 'failed'), { ...after, ...told }))
    if (state.crashesLeft > 0) {
      const untold = verdict === 'accepted' ? forget(true) : {}
      found.push(become(lost, { ...after, ...untold, crashesLeft: state.crashesLeft - 1 }))
    }
  }
  return found
}

/** What the provider may say to another attempt. */
function verdictsOn({ verdicts, changesOfMindLeft }: State, to: number) {
  const same = { changesOfMindLeft }
  const earlier = verdicts[to]
  if (earlier === 'accepted') return [{ verdict: 'accepted', ...same }] as const
  if (earlier === null) return [{ verdict: 'accepted', ...same } as const, { verdict: 'refused', ...same } as const]
  if (changesOfMindLeft === 0) return [{ verdict: 'refused', ...same }] as const
  const changed = { verdict: 'accepted', changesOfMindLeft: changesOfMindLeft - 1 } as const
  return [{ verdict: 'refused', ...same } as const, changed]
}
