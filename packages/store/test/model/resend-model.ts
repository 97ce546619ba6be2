/**
 * One person whose first attempt is unknown: somebody may have them sent to again, and somebody may tell what became of them, while two
 * processes work on the wave, each of which may crash after any step or lose its lease, and the provider reports of either attempt.
 */
export interface Rules {
  /** whoever is to be sent to again is not pending: what the second attempt leads to says nothing of the first */
  readonly keepsDoubt: boolean
  /** the mark before sending uses the decision up */
  readonly usesUp: boolean
  /** a report of failure is not the last word on somebody of two attempts */
  readonly knowsTwo: boolean
  /** a person's "it did not arrive" yields to a report that it did */
  readonly wordYields: boolean
  /** record refuses whoever no longer owns the claim */
  readonly fenced: boolean
}

type Byte =
  | 'pending'
  | 'attempting'
  | 'to-send-again'
  | 'attempting-again'
  | 'sent'
  | 'delivered'
  | 'failed'
  | 'unknown'

interface Process {
  readonly at: 'idle' | 'sort' | 'mark' | 'send' | 'finish'
  readonly claim: number
  readonly note: Byte | null
}

export interface State {
  readonly byte: Byte
  readonly why: '' | 'two' | 'undelivered' | 'told'
  /** of each attempt, whether the person has it */
  readonly arrived: readonly boolean[]
  readonly decisions: number
  readonly decisionsLeft: number
  readonly wordsLeft: number
  readonly reportedDelivered: boolean
  readonly processes: readonly Process[]
  readonly owner: number | null
  readonly deliveries: number
  readonly open: number
  readonly crashesLeft: number
}

const idle: Process = { at: 'idle', claim: 0, note: null }

/** The answer to the first attempt was lost; the message has settled. */
export const firstStates = (): State[] =>
  [true, false].map((arrived) => ({
    byte: 'unknown',
    why: '',
    arrived: [arrived],
    decisions: 0,
    decisionsLeft: 1,
    wordsLeft: 1,
    reportedDelivered: false,
    processes: [idle, idle],
    owner: null,
    deliveries: 0,
    open: 0,
    crashesLeft: 2,
  }))

export function next(rules: Rules, state: State): State[] {
  return [
    ...decisions(rules, state),
    ...words(state),
    ...state.arrived.flatMap((arrived) => reported(rules, state, arrived ? 'delivered' : 'failed')),
    ...state.processes.flatMap((process, who) => steps(rules, state, process, who)),
  ]
}

/** resend.lua */
function decisions(rules: Rules, state: State): State[] {
  if (state.byte !== 'unknown' || state.decisionsLeft === 0) return []
  const byte = rules.keepsDoubt ? 'to-send-again' : 'pending'
  const decisionsLeft = state.decisionsLeft - 1
  return [{ ...state, byte, decisions: state.decisions + 1, decisionsLeft, open: state.open + 1 }]
}

/** resolve.lua; whoever tells may be wrong */
function words(state: State): State[] {
  if (state.wordsLeft === 0 || !['unknown', 'to-send-again'].includes(state.byte)) return []
  const told = { ...state, why: 'told', wordsLeft: state.wordsLeft - 1 } as const
  return [
    { ...told, byte: 'delivered' },
    { ...told, byte: 'failed' },
  ]
}

/** report.lua */
function reported(rules: Rules, state: State, said: 'delivered' | 'failed' | 'sent'): State[] {
  const { byte, why } = state
  const known = said === 'delivered' ? { ...state, reportedDelivered: true } : state
  if (byte === 'delivered') return [known]
  const isTwo = rules.knowsTwo && (byte === 'attempting-again' || why === 'two')
  if (said === 'failed') {
    if (isTwo) return byte === 'sent' ? [{ ...known, byte: 'unknown' }] : [known]
    const open: Byte[] = ['unknown', 'sent', 'attempting']
    return [open.includes(byte) ? { ...known, byte: 'failed', why: 'undelivered' } : known]
  }
  if (byte === 'pending' || (byte === 'failed' && why === 'undelivered')) return [known]
  if (byte === 'failed' && why === 'told' && (said === 'sent' || !rules.wordYields)) return [known]
  if (said === 'sent') return [byte === 'sent' ? known : { ...known, byte: 'sent', why: isTwo ? 'two' : '' }]
  return [{ ...known, byte: 'delivered', why: '' }]
}

/** record.lua: undefined when fenced */
function record(rules: Rules, state: State, who: number, wanted: Byte | null): Pick<State, 'byte' | 'why'> | undefined {
  const { byte, why, owner, deliveries, processes } = state
  if (rules.fenced && !(owner === who && deliveries === processes[who]?.claim)) return undefined
  if (wanted === null) return { byte, why }
  if (byte === 'to-send-again' || byte === 'attempting-again') {
    if (wanted === 'attempting') return { byte: rules.usesUp ? 'attempting-again' : 'to-send-again', why }
    if (wanted === 'sent') return { byte: 'sent', why: 'two' }
    return { byte: 'unknown', why: byte === 'attempting-again' ? 'two' : why }
  }
  const isAllowed = byte === 'attempting' || (byte === 'pending' && wanted !== 'unknown')
  return isAllowed ? { byte: wanted, why } : { byte, why }
}

function steps(rules: Rules, state: State, process: Process, who: number): State[] {
  const become = (changed: Partial<Process>, rest: Partial<State> = {}): State => ({
    ...state,
    ...rest,
    processes: state.processes.map((each, index) => (index === who ? { ...process, ...changed } : each)),
  })
  const crash =
    process.at !== 'idle' && state.crashesLeft > 0 ? [become(idle, { crashesLeft: state.crashesLeft - 1 })] : []
  return [...crash, ...work(rules, state, process, who, become)]
}

type Become = (changed: Partial<Process>, rest?: Partial<State>) => State

function work(rules: Rules, state: State, process: Process, who: number, become: Become): State[] {
  switch (process.at) {
    case 'idle': {
      const ownerAt = state.owner === null ? 'idle' : state.processes[state.owner]?.at
      if (state.open < 1 || (ownerAt !== 'idle' && state.deliveries >= 3)) return []
      const deliveries = state.deliveries + 1
      return [become({ at: 'sort', claim: deliveries, note: null }, { owner: who, deliveries })]
    }
    case 'sort': {
      if (state.byte === 'to-send-again' || state.byte === 'pending') return [become({ at: 'mark' })]
      const isInDoubt = state.byte === 'attempting' || state.byte === 'attempting-again'
      return [become({ at: 'finish', note: isInDoubt ? 'unknown' : null })]
    }
    case 'mark': {
      const written = record(rules, state, who, 'attempting')
      if (!written) return [become(idle)]
      const isGranted = ['attempting', 'attempting-again', 'to-send-again'].includes(written.byte)
      return [become({ at: isGranted ? 'send' : 'finish' }, written)]
    }
    case 'send': {
      const sent = (arrived: boolean, note: Byte) =>
        become({ at: 'finish', note }, { arrived: [...state.arrived, arrived] })
      // taken and brought, taken and never brought, refused; and the answer may be lost
      return [
        sent(true, 'sent'),
        sent(false, 'sent'),
        sent(false, 'failed'),
        sent(true, 'unknown'),
        sent(false, 'unknown'),
      ]
    }
    case 'finish': {
      const written = record(rules, state, who, process.note)
      if (written) return [become(idle, { ...written, owner: null, open: state.open - 1 })]
      return process.note === 'sent' ? reported(rules, become(idle), 'sent') : [become(idle)]
    }
  }
}
