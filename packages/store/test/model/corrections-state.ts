/** What is known of one person of a message that is corrected, and what they have been shown. */

/** number of a text; 0 where there is none */
export type Text = number

/** `nothing`: cancelled, for there is nothing to correct. `uncorrected`: suppressed. Both are final, as `stopped` and `spared` are. */
export type Byte =
  | 'pending'
  | 'attempting'
  | 'sent'
  | 'failed'
  | 'unknown'
  | 'stopped'
  | 'spared'
  | 'nothing'
  | 'uncorrected'

/** how somebody is reached: by a message of its own, or by a change to what they have */
export type How = '' | 'own' | 'edit' | 'delete'

export interface Leg {
  readonly byte: Byte
  /** of whoever is sent */
  readonly how: How
  /** an entry or piece of it is left */
  readonly isOpen: boolean
  readonly owner: number | null
}

export interface Process {
  readonly at: 'idle' | 'read' | 'mark' | 'send' | 'finish' | 'hand-back'
  readonly leg: number
  /** another process has its claim */
  readonly isLost: boolean
  readonly text: Text
  readonly how: How
  /** they were marked by this process: what it does not send is given back */
  readonly hasMarked: boolean
  /** of a recall: the messages that are known by their ids */
  readonly ids: readonly number[]
  /** another may be there that is not */
  readonly mayLeaveOne: boolean
  readonly note: Byte | null
}

/** What a provider shows the person. */
interface Shown {
  /** the leg whose own message it is, which is its idempotency key */
  readonly key: number
  readonly text: Text
}

export interface State {
  readonly version: number
  /** the newest version is that of a recall */
  readonly recalled: boolean
  readonly cancelled: boolean
  /** the text on the channel of the step before */
  readonly seenBefore: Text
  /** the text of the last press, which is on its way */
  readonly pressed: Text
  /** the text whose confirmation counts */
  readonly counted: Text
  /** the first, and one for each correction or recall */
  readonly legs: readonly Leg[]
  readonly shown: readonly Shown[]
  /** legs of which it has taken a message of their own, under the key of each */
  readonly taken: readonly number[]
  /** the provider has refused an edit, and does from then on */
  readonly editsNoMore: boolean
  readonly processes: readonly Process[]
  readonly asksToConfirm: boolean
  readonly correctionsLeft: number
  readonly recallsLeft: number
  readonly cancelsLeft: number
  readonly crashesLeft: number
  readonly freezesLeft: number
  readonly givesBackLeft: number
  readonly fault?: string
}

/** Of a correction that has not been made. */
export const noLeg: Leg = { byte: 'nothing', how: '', isOpen: false, owner: null }

const idle: Process = {
  at: 'idle',
  leg: 0,
  isLost: false,
  text: 0,
  how: '',
  hasMarked: false,
  ids: [],
  mayLeaveOne: false,
  note: null,
}
export const take = { idle }

const replaced = <T>(list: readonly T[], at: number, change: Partial<T>): T[] =>
  list.map((each, index) => (index === at ? { ...each, ...change } : each))

export const withLeg = (state: State, at: number, change: Partial<Leg>): State => ({
  ...state,
  legs: replaced(state.legs, at, change),
})
export const withProcess = (state: State, at: number, change: Partial<Process>): State => ({
  ...state,
  processes: replaced(state.processes, at, change),
})
export const legOf = (state: State, at: number) => state.legs[at] as Leg

export const isLegSettled = (state: State, at: number): boolean => {
  const { byte, isOpen } = legOf(state, at)
  return !isOpen && byte !== 'pending' && byte !== 'attempting'
}

/** stopped.lua: of a message that was withdrawn the leg that takes it back goes on */
export const isOver = ({ cancelled, recalled, version }: State, leg: number): boolean =>
  cancelled && !(recalled && leg === version - 1)

export const isRecall = ({ recalled, version }: State, leg: number): boolean => recalled && leg === version - 1
