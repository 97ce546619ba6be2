/**
 * Two messages to one person, due within the merge window: the first carries the second. Two processes of a channel, either of which may hand
 * back, crash or lose its lease, and a cancel of either message, at any moment.
 */
export interface Rules {
  /** the mark of the first marks the other in the same step */
  readonly marksAll: boolean
  /** the mark is refused where the other is not wanted any more */
  readonly looksAtOther: boolean
  /** the mark is refused where the text has another set of messages than there is by now */
  readonly comparesSets: boolean
  /** whoever takes over a mark sends the set that was marked, whatever has been cancelled since */
  readonly keepsSet: boolean
  /** a first that ends unmarked, or is handed back so, gives the other an entry of its own */
  readonly releases: boolean
  /** so does one that is cancelled where no process has it: its entry may be taken off before any reads it */
  readonly expiryReleases: boolean
  /** a report of the first is one of the other, too */
  readonly reportsAll: boolean
  /** record and defer refuse whoever no longer owns the claim */
  readonly fenced: boolean
  /** not a rule but a channel: the provider shows once what comes again under its key */
  readonly folds: boolean
}

export type Byte = 'pending' | 'attempting' | 'sent' | 'failed' | 'unknown' | 'cancelled'

interface Message {
  readonly state: 'scheduled' | 'running' | 'cancelled'
  readonly byte: Byte
  readonly wanted: boolean
}

/** Of a work stream: entry 0 is of the first message, 1 of the second. */
interface Entry {
  readonly open: boolean
  /** it names the second message, too */
  readonly joined: boolean
  readonly owner: number | null
  readonly deliveries: number
}

interface Process {
  readonly at: 'idle' | 'mark' | 'send' | 'hand-back' | 'finish'
  readonly entry: number
  readonly claim: number
  /** the text it has is that of both */
  readonly joined: boolean
  readonly note: Byte | null
}

export interface State {
  readonly messages: readonly Message[]
  readonly entries: readonly Entry[]
  /** what the history of the first says: it carries the second */
  readonly carries: boolean
  /** of each call that the provider took, by which key and with which texts */
  readonly shown: readonly { readonly key: number; readonly texts: readonly number[] }[]
  readonly processes: readonly Process[]
  readonly cancelsLeft: number
  readonly handBacksLeft: number
  readonly crashesLeft: number
}

const idle: Process = { at: 'idle', entry: 0, claim: 0, joined: false, note: null }
const noEntry: Entry = { open: false, joined: false, owner: null, deliveries: 0 }
const scheduled: Message = { state: 'scheduled', byte: 'pending', wanted: true }

export const firstState: State = {
  messages: [scheduled, scheduled],
  entries: [noEntry, noEntry],
  carries: false,
  shown: [],
  processes: [idle, idle],
  cancelsLeft: 1,
  handBacksLeft: 1,
  crashesLeft: 1,
}

const replaced = <T>(list: readonly T[], at: number, change: Partial<T>): T[] =>
  list.map((each, index) => (index === at ? { ...each, ...change } : each))

const withMessage = (state: State, at: number, change: Partial<Message>): State => ({
  ...state,
  messages: replaced(state.messages, at, change),
})
const withEntry = (state: State, at: number, change: Partial<Entry>): State => ({
  ...state,
  entries: replaced(state.entries, at, change),
})
const withProcess = (state: State, at: number, change: Partial<Process>): State => ({
  ...state,
  processes: replaced(state.processes, at, change),
})
const messageOf = (state: State, at: number) => state.messages[at] as Message
const entryOf = (state: State, at: number) => state.entries[at] as Entry

export function next(rules: Rules, state: State): State[] {
  return [
    ...wake(state),
    ...cancels(state),
    ...expiries(rules, state),
    ...purges(state),
    ...state.processes.flatMap((process, who) => steps(rules, state, process, who)),
  ]
}

/** wake.lua: the first carries the second, if that is wanted still */
function wake(state: State): State[] {
  const at = state.messages.findIndex(({ state: stage }) => stage === 'scheduled')
  if (at < 0) return []
  const started = withEntry(withMessage(state, at, { state: 'running' }), at, { open: true })
  if (at === 1 || messageOf(state, 1).state !== 'scheduled') return [started]
  return [withMessage(withEntry({ ...started, carries: true }, 0, { joined: true }), 1, { state: 'running' })]
}

/** cancel.lua */
const cancels = (state: State): State[] =>
  state.messages.flatMap(({ state: stage }, at) => {
    if (state.cancelsLeft === 0) return []
    const cancelled = withMessage({ ...state, cancelsLeft: state.cancelsLeft - 1 }, at, { wanted: false })
    return [stage === 'scheduled' ? withMessage(cancelled, at, { state: 'cancelled', byte: 'cancelled' }) : cancelled]
  })

/** The other goes by itself from now on. */
const release = (rules: Rules, state: State): State =>
  rules.releases ? withEntry({ ...state, carries: false }, 1, { open: true }) : { ...state, carries: false }

/** expire.lua, of what was cancelled: whoever is marked is left alone */
const expiries = (rules: Rules, state: State): State[] =>
  state.messages.flatMap(({ state: stage, wanted, byte }, at) => {
    if (stage !== 'running' || wanted || byte !== 'pending') return []
    const settled = withMessage(state, at, { byte: 'cancelled' })
    return [at === 0 && state.carries && rules.expiryReleases ? release(rules, settled) : settled]
  })

/** purge.lua: an entry whose message is over without it is taken off, and whoever has claimed it finds it gone */
const purges = (state: State): State[] =>
  state.entries.flatMap(({ open }, at) =>
    open && messageOf(state, at).byte === 'cancelled' ? [withEntry(state, at, noEntry)] : [],
  )

const owns = (rules: Rules, state: State, who: number): boolean => {
  const { entry, claim } = state.processes[who] as Process
  const { open, owner, deliveries } = entryOf(state, entry)
  return !rules.fenced || (open && owner === who && deliveries === claim)
}

const follows: Record<Byte, readonly Byte[]> = {
  pending: ['attempting', 'cancelled', 'failed'],
  attempting: ['pending', 'sent', 'failed', 'unknown', 'cancelled'],
  unknown: ['sent', 'failed'],
  sent: [],
  failed: ['sent'],
  cancelled: [],
}

function move(state: State, at: number, byte: Byte): State {
  return follows[messageOf(state, at).byte].includes(byte) ? withMessage(state, at, { byte }) : state
}

/** A receipt of the entry's message; whom it carries follows. */
function moveAll(rules: Rules, state: State, at: number, byte: Byte): State {
  const before = messageOf(state, at).byte
  const moved = move(state, at, byte)
  const isCarrier = at === 0 && state.carries && (rules.marksAll || byte !== 'attempting')
  if (!isCarrier || (before === 'pending' && byte !== 'attempting')) return moved
  // where the mark was of the first alone, the answer is written of both all the same
  const other = rules.marksAll || messageOf(moved, 1).byte !== 'pending' ? moved : move(moved, 1, 'attempting')
  return move(other, 1, byte)
}

/** record.lua with `a`. @returns what the process does next */
function mark(rules: Rules, state: State, process: Process, who: number): State {
  const { entry: at, joined } = process
  const { byte, wanted } = messageOf(state, at)
  if (byte !== 'pending' && byte !== 'attempting') return withProcess(state, who, { at: 'finish', note: null })
  if (!wanted) return withProcess(state, who, { at: 'finish', note: byte === 'attempting' ? 'unknown' : 'cancelled' })
  const isCarrier = at === 0 && state.carries
  if (rules.comparesSets && joined !== isCarrier) return withProcess(state, who, { at: 'hand-back' })
  const other = messageOf(state, 1)
  if (byte === 'pending' && isCarrier && rules.looksAtOther && !(other.wanted && other.byte === 'pending'))
    return withProcess(release(rules, state), who, { at: 'hand-back' })
  return withProcess(moveAll(rules, state, at, 'attempting'), who, { at: 'send' })
}

function send(rules: Rules, state: State, process: Process, who: number): State[] {
  const { entry: key, joined } = process
  const texts = joined && (rules.keepsSet || messageOf(state, 1).wanted) ? [0, 1] : [key]
  const isFolded = rules.folds && state.shown.some((each) => each.key === key)
  const taken = isFolded ? state : { ...state, shown: [...state.shown, { key, texts }] }
  const sent = withProcess(taken, who, { at: 'finish', note: 'sent' })
  return isFolded ? [sent] : [sent, withProcess(state, who, { at: 'finish', note: 'failed' })]
}

/** record.lua, done: the claim leaves its stream. */
function finish(rules: Rules, state: State, process: Process, who: number): State {
  const { entry: at, note } = process
  if (!owns(rules, state, who)) {
    const lost = withProcess(state, who, idle)
    // delivery-reports.ts: what was accepted is so, whoever says it
    return note === 'sent' ? (rules.reportsAll ? moveAll(rules, lost, at, 'sent') : move(lost, at, 'sent')) : lost
  }
  let after = note === null ? state : moveAll(rules, state, at, note)
  if (at === 0 && after.carries && messageOf(after, 1).byte === 'pending') after = release(rules, after)
  if (at === 0 && after.carries) after = move(after, 1, 'unknown')
  return withProcess(withEntry(after, at, noEntry), who, idle)
}

/** defer.lua: an entry of its own again, at once */
function handBack(rules: Rules, state: State, { entry: at }: Process, who: number): State {
  if (!owns(rules, state, who)) return withProcess(state, who, idle)
  const isHeld = at === 0 && state.carries && messageOf(state, 0).byte === 'pending'
  const after = isHeld ? release(rules, state) : state
  const joined = at === 0 && after.carries
  return withProcess(withEntry(after, at, { joined, owner: null }), who, idle)
}

function steps(rules: Rules, state: State, process: Process, who: number): State[] {
  const crash =
    process.at !== 'idle' && state.crashesLeft > 0
      ? [withProcess({ ...state, crashesLeft: state.crashesLeft - 1 }, who, idle)]
      : []
  return [...crash, ...work(rules, state, process, who)]
}

/** Nobody is at work on it; or its lease has run out, so often at most. */
function mayClaim({ processes }: State, { open, owner, deliveries }: Entry, index: number): boolean {
  const holder = owner === null ? undefined : processes[owner]
  const isHeld = holder !== undefined && holder.at !== 'idle' && holder.entry === index
  return open && (!isHeld || deliveries < 2)
}

/** What it finds decides what it does: whoever was marked before is sent to again where that is folded. */
function claim(rules: Rules, state: State, index: number, who: number): State {
  const { joined, deliveries } = entryOf(state, index)
  const { byte } = messageOf(state, index)
  const process = { entry: index, claim: deliveries + 1, joined, note: null }
  const claimed = withEntry(state, index, { owner: who, deliveries: deliveries + 1 })
  if (byte === 'pending' || (byte === 'attempting' && rules.folds))
    return withProcess(claimed, who, { ...process, at: 'mark' })
  return withProcess(claimed, who, { ...process, at: 'finish', note: byte === 'attempting' ? 'unknown' : null })
}

function work(rules: Rules, state: State, process: Process, who: number): State[] {
  switch (process.at) {
    case 'idle':
      return state.entries.flatMap((entry, index) =>
        mayClaim(state, entry, index) ? [claim(rules, state, index, who)] : [],
      )
    case 'mark': {
      const held = { ...withProcess(state, who, { at: 'hand-back' }), handBacksLeft: state.handBacksLeft - 1 }
      const marked = owns(rules, state, who) ? mark(rules, state, process, who) : withProcess(state, who, idle)
      return state.handBacksLeft > 0 ? [marked, held] : [marked]
    }
    case 'send':
      return send(rules, state, process, who)
    case 'hand-back':
      return [handBack(rules, state, process, who)]
    case 'finish':
      return [finish(rules, state, process, who)]
  }
}
