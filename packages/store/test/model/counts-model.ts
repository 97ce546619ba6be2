/**
 * Two messages to one person who may have one of them, two processes for each, and a provider, step by step as counting.ts, send-job.ts
 * and the scripts of lua/ do it; every step may be the last before a crash, and a lease may run out under a process that is merely
 * frozen. Nothing here is random: next() tells every state that can follow.
 */
export interface Rules {
  /** who is found marked is contested before they are sent to */
  readonly contests: boolean
  /** a count is given back only once the failure is recorded by the owner of the claim */
  readonly recordsFirst: boolean
  /** an entry is forgotten only where its receipt is final */
  readonly forgetsFinal: boolean
  /** it is counted before the mark */
  readonly allowsFirst: boolean
}

type Byte = 'pending' | 'attempting' | 'sent' | 'failed' | 'suppressed'
/** by the number of the message */
type Pair<T> = readonly [T, T]

interface Entry {
  readonly isContested: boolean
  /** how often it was allowed: written anew it is another */
  readonly writes: number
}

type Place =
  | 'idle'
  | 'sort'
  | 'allow'
  | 'ask'
  | 'forget'
  | 'contest'
  | 'mark'
  | 'send'
  | 'record'
  | 'give-back'
  | 'record-after'

interface Process {
  readonly at: Place
  /** delivery count of its claim */
  readonly claim: number
  /** what it will write */
  readonly note: Byte | null
  /** the entry in its way, as it was told */
  readonly seen: Entry | null
}

export interface State {
  readonly processes: readonly Process[]
  readonly owners: Pair<number | null>
  readonly deliveries: Pair<number>
  readonly done: Pair<boolean>
  readonly bytes: Pair<Byte>
  readonly diary: Pair<Entry | null>
  /** the provider: what it has decided last */
  readonly verdicts: Pair<'accepted' | 'refused' | null>
  readonly changesOfMindLeft: number
  readonly crashesLeft: number
}

const idle: Process = { at: 'idle', claim: 0, note: null, seen: null }
const messageOf = (who: number) => (who < 2 ? 0 : 1)
const other = (message: 0 | 1) => (message === 0 ? 1 : 0)
const set = <T>(pair: Pair<T>, at: 0 | 1, value: T): Pair<T> => (at === 0 ? [value, pair[1]] : [pair[0], value])

export const firstState: State = {
  processes: [idle, idle, idle, idle],
  owners: [null, null],
  deliveries: [0, 0],
  done: [false, false],
  bytes: ['pending', 'pending'],
  diary: [null, null],
  verdicts: [null, null],
  changesOfMindLeft: 1,
  crashesLeft: 1,
}

export function next(rules: Rules, state: State): State[] {
  return state.processes.flatMap((process, who) => {
    const become = (changed: Partial<Process>, rest: Partial<State> = {}): State => ({
      ...state,
      ...rest,
      processes: state.processes.map((each, i) => (i === who ? { ...process, ...changed } : each)),
    })
    const steps = stepsOf(rules, state, process, who, become)
    if (process.at !== 'idle' && state.crashesLeft > 0) steps.push(become(idle, { crashesLeft: state.crashesLeft - 1 }))
    return steps
  })
}

type Become = (changed: Partial<Process>, rest?: Partial<State>) => State

function stepsOf(rules: Rules, state: State, process: Process, who: number, become: Become): State[] {
  const message = messageOf(who)
  const owns = state.owners[message] === who && state.deliveries[message] === process.claim
  const byte = state.bytes[message]
  const write = (to: Byte) => ({ bytes: set(state.bytes, message, to) })
  const letGo = { owners: set(state.owners, message, null) }
  const over = { ...letGo, done: set(state.done, message, true) }
  switch (process.at) {
    case 'idle': {
      const owner = state.owners[message]
      const ownerAt = owner === null ? 'idle' : state.processes[owner]?.at
      // a lease runs out when its owner is gone, and, once for each message, when it is only frozen
      if (state.done[message] || (ownerAt !== 'idle' && state.deliveries[message] >= 2)) return []
      const claim = state.deliveries[message] + 1
      const taken = { owners: set(state.owners, message, who), deliveries: set(state.deliveries, message, claim) }
      return [become({ ...idle, at: 'sort', claim }, taken)]
    }
    case 'sort':
      if (byte === 'pending') return [become({ at: rules.allowsFirst ? 'allow' : 'mark' })]
      if (byte === 'attempting') return [become({ at: rules.contests ? 'contest' : 'mark' })]
      return [become(idle, owns ? over : {})]
    case 'allow':
      return [allow(rules, state, message, become)]
    case 'ask': {
      const theirs = state.bytes[other(message)]
      const isFinal = theirs === 'failed' || theirs === 'suppressed'
      const mayForget = isFinal || (!rules.forgetsFinal && theirs !== 'sent')
      if (mayForget && !process.seen?.isContested) return [become({ at: 'forget' })]
      if (theirs === 'sent' || isFinal) return [become({ at: 'record', note: 'suppressed' })]
      // later: a wave, when everything is decided anew
      return [become({ at: 'allow', seen: null })]
    }
    case 'forget': {
      const theirs = state.diary[other(message)]
      const isSame = theirs && !theirs.isContested && theirs.writes === process.seen?.writes
      const diary = isSame ? set(state.diary, other(message), null) : state.diary
      return [become({ at: 'allow', seen: null }, { diary })]
    }
    case 'contest': {
      const entry = state.diary[message]
      const diary = entry ? set(state.diary, message, { ...entry, isContested: true }) : state.diary
      return [become({ at: 'mark' }, { diary })]
    }
    case 'mark': {
      if (!owns) return [become(idle)]
      const at = rules.allowsFirst || byte === 'attempting' ? 'send' : 'allow'
      return [become({ at }, write('attempting'))]
    }
    case 'send':
      return answers(rules, state, message, become)
    case 'give-back': {
      const entry = state.diary[message]
      const diary = entry?.isContested ? state.diary : set(state.diary, message, null)
      return [become(rules.recordsFirst ? idle : { at: 'record-after' }, { diary })]
    }
    case 'record':
    case 'record-after':
      return [record(process, owns, state, message, become, { over, write })]
  }
}

/** allow.lua: the only one that reads and writes the diary in one step */
function allow(rules: Rules, state: State, message: 0 | 1, become: Become): State {
  const theirs = state.diary[other(message)]
  if (theirs) return become({ at: 'ask', seen: theirs })
  const own = state.diary[message]
  const entry = { isContested: own?.isContested ?? false, writes: Math.min((own?.writes ?? 0) + 1, 3) }
  return become({ at: rules.allowsFirst ? 'mark' : 'send' }, { diary: set(state.diary, message, entry) })
}

/** The provider folds resends under the same key, and may change its mind from no to yes. */
function answers(rules: Rules, state: State, message: 0 | 1, become: Become): State[] {
  const before = state.verdicts[message]
  const accepted = (changesOfMindLeft: number) =>
    become({ at: 'record', note: 'sent' }, { verdicts: set(state.verdicts, message, 'accepted'), changesOfMindLeft })
  const refused = become(
    { at: rules.recordsFirst ? 'record' : 'give-back', note: 'failed' },
    { verdicts: set(state.verdicts, message, 'refused') },
  )
  if (before === 'accepted') return [accepted(state.changesOfMindLeft)]
  if (before === null) return [accepted(state.changesOfMindLeft), refused]
  return state.changesOfMindLeft > 0 ? [refused, accepted(state.changesOfMindLeft - 1)] : [refused]
}

/** record.lua; whoever has lost the claim only reports what was accepted, which is taken though another attempt was refused. */
function record(
  { at, note }: Process,
  owns: boolean,
  state: State,
  message: 0 | 1,
  become: Become,
  { over, write }: { over: Partial<State>; write(to: Byte): Partial<State> },
): State {
  const byte = state.bytes[message]
  if (!owns) {
    const isNews = note === 'sent' && (byte === 'attempting' || byte === 'failed')
    return become(idle, isNews ? write('sent') : {})
  }
  const gives = note === 'failed' && at === 'record'
  return become(gives ? { at: 'give-back' } : idle, { ...over, ...write(note ?? byte) })
}
