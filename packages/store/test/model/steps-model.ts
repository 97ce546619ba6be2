/**
 * One person of a message with two steps, as the scripts and two processes go about it: two channels in the first, one in the second. Every
 * answer, report, confirmation, cancel, passing of time, take-over may come at any moment at which it can. Each `rule` left out is an omission.
 */
export interface Rules {
  /** the mark looks at the receipts of the former step itself, in its own step */
  readonly marksByCondition: boolean
  /** whoever reports somebody as reached takes them out of the later step in the same step */
  readonly sparesAtOnce: boolean
  /** a confirmation counts as a receipt does */
  readonly heedsConfirmations: boolean
  /** who has come to a step is kept, so that they come once */
  readonly comesOnce: boolean
  /** a step begins for somebody when all channels of the former have an answer */
  readonly waitsForAll: boolean
  /** a later step is not done while somebody of it is pending */
  readonly staysOpen: boolean
  /** of a message that was cancelled nobody is marked */
  readonly heedsCancel: boolean
}

type Former = 'pending' | 'attempting' | 'sent' | 'failed' | 'unknown' | 'delivered' | 'cancelled'
type Later = 'pending' | 'attempting' | 'sent' | 'unknown' | 'spared' | 'cancelled'

interface Entry {
  readonly owner: 0 | 1 | 2
  /** what its owner read of the former step when it took it */
  readonly sawReached: boolean
  /** somebody had marked the person when it was taken: who goes on cannot know whether they have it */
  readonly sawMarked: boolean
  readonly marked: boolean
}

export interface State {
  readonly former: readonly [Former, Former]
  /** whether the claims of the first step are still to be finished */
  readonly claimed: readonly [boolean, boolean]
  readonly later: Later
  readonly confirmed: boolean
  readonly cancelled: boolean
  readonly hasCome: boolean
  /** in waves, and in the stream, of the second step */
  readonly pieces: number
  readonly entries: readonly Entry[]
  /** how often the person was sent it by the second step */
  readonly shown: number
  readonly fault?: string
}

export const firstState: State = {
  former: ['pending', 'pending'],
  claimed: [true, true],
  later: 'pending',
  confirmed: false,
  cancelled: false,
  hasCome: false,
  pieces: 0,
  entries: [],
  shown: 0,
}

const isOpen = (state: Former | Later) => state === 'pending' || state === 'attempting'
export const isReached = ({ former, confirmed }: State) => confirmed || former.includes('delivered')

/** Whether the end of an entry, this person's or another's, settles the second step. */
export const isSettled = ({ staysOpen }: Rules, { pieces, entries, later }: State): boolean =>
  pieces === 0 && entries.length === 0 && (!staysOpen || !isOpen(later))

const put = <T>(pair: readonly [T, T], at: number, value: T): [T, T] => (at === 0 ? [value, pair[1]] : [pair[0], value])

function spare({ sparesAtOnce, heedsConfirmations }: Rules, state: State): State {
  const isKnown = state.former.includes('delivered') || (heedsConfirmations && state.confirmed)
  if (!sparesAtOnce || !isKnown || state.later !== 'pending' || state.cancelled) return state
  return { ...state, later: 'spared', pieces: 0 }
}

/** With the end of a claim of the first step. */
function begin({ comesOnce, waitsForAll }: Rules, state: State): State {
  if (state.cancelled || (comesOnce && state.hasCome)) return state
  if (waitsForAll && state.former.some(isOpen)) return state
  return { ...state, hasCome: true, pieces: state.pieces + (state.later === 'pending' ? 1 : 0) }
}

function ofFormer(rules: Rules, state: State, at: 0 | 1): State[] {
  const is = state.former[at]
  const to = (byte: Former): State => ({ ...state, former: put(state.former, at, byte) })
  const following: State[] = []
  if (state.claimed[at]) {
    if (is === 'pending') following.push(to(state.cancelled ? 'cancelled' : 'attempting'), to('failed'))
    // its process has died: the next one cannot know
    if (is === 'attempting') following.push(to('sent'), to('failed'), to('unknown'))
    if (!isOpen(is)) following.push(begin(rules, { ...state, claimed: put(state.claimed, at, false) }))
  }
  if (is === 'sent' || is === 'unknown' || is === 'attempting') following.push(spare(rules, to('delivered')))
  return following
}

/** The mark of one entry: granted, or not. */
function mark(rules: Rules, state: State, entry: Entry): [State, boolean] {
  if (state.later === 'attempting') return entry.sawMarked ? [{ ...state, later: 'unknown' }, false] : [state, true]
  if (state.later !== 'pending') return [state, false]
  if (rules.heedsCancel && state.cancelled) return [{ ...state, later: 'cancelled' }, false]
  const isKnown = state.former.includes('delivered') || (rules.heedsConfirmations && state.confirmed)
  if (rules.marksByCondition ? isKnown : entry.sawReached) return [{ ...state, later: 'spared' }, false]
  const fault = isReached(state) ? 'marked after a receipt' : state.cancelled ? 'marked after a cancel' : undefined
  return [{ ...state, later: 'attempting', ...(fault ? { fault } : {}) }, true]
}

function ofEntry(rules: Rules, state: State, at: number): State[] {
  const entry = state.entries[at] as Entry
  const others = state.entries.filter((_each, index) => index !== at)
  const saw = { sawReached: isReached(state), sawMarked: state.later === 'attempting' }
  // taken over by the other process when it was taken: a claim is one process's
  const taken = ([1, 2] as const)
    .filter((owner) => owner !== entry.owner)
    .filter((owner) => entry.owner === 0 || owner > entry.owner)
    .map((owner): State => ({ ...state, entries: [...others, { owner, ...saw, marked: false }] }))
  if (entry.owner === 0) return taken
  if (entry.marked) return [...taken, { ...state, entries: others, later: 'sent', shown: state.shown + 1 }]
  const [marked, isGranted] = mark(rules, state, entry)
  const next = isGranted ? [...others, { ...entry, marked: true }] : others
  return [...taken, { ...marked, entries: next }]
}

export function next(rules: Rules, state: State): State[] {
  const following = [...ofFormer(rules, state, 0), ...ofFormer(rules, state, 1)]
  if (!state.confirmed && state.former.some((byte) => byte !== 'pending'))
    following.push(spare(rules, { ...state, confirmed: true }))
  if (!state.cancelled) {
    const later = state.later === 'pending' ? 'cancelled' : state.later
    following.push({ ...state, cancelled: true, ...(rules.heedsCancel ? { later } : {}) })
  }
  if (state.pieces > 0) {
    const entry: Entry = { owner: 0, sawReached: false, sawMarked: false, marked: false }
    following.push({ ...state, pieces: state.pieces - 1, entries: [...state.entries, entry] })
  }
  for (const at of state.entries.keys()) following.push(...ofEntry(rules, state, at))
  return following
}
