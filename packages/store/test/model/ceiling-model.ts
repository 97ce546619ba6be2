/**
 * Two people of a message whose ceiling is enough for one of them, and two processes: a claim of each person is taken, marked, handed to the
 * provider, answered. Each process may die or be taken over after any step, each reply may be lost, and the message may be cancelled at any
 * moment. Each `rule` left out is an omission.
 */
export interface Rules {
  /** what is left is looked at in the step that marks */
  readonly looksAsItMarks: boolean
  /** whoever is marked already costs nothing more */
  readonly spendsOnce: boolean
  /** who certainly has nothing gives back what they cost */
  readonly givesBack: boolean
  /** whoever is not marked any more gives nothing back */
  readonly givesBackOnce: boolean
  /** of whom nobody knows whether they have it, it is spent */
  readonly keepsUnknown: boolean
  /** what the provider has taken a part of is spent */
  readonly keepsParts: boolean
}

export const ceiling = 1
/** how often the claim of each person is taken, at most */
const takes = [3, 1] as const

type Byte = 'pending' | 'attempting' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled'
type Answer = 'sent' | 'failed' | 'throttled' | 'partly-taken' | 'no-answer'

/** What a process holds of one person. */
interface Holding {
  readonly at: 'taken' | 'marked' | 'answered'
  /** what was left when it was taken */
  readonly sawLeft: number
  /** somebody had marked the person by then */
  readonly sawMarked: boolean
  readonly answer?: Answer
}

interface Person {
  readonly byte: Byte
  /** which process has the claim */
  readonly owner: 0 | 1 | undefined
  readonly taken: number
  readonly isDone: boolean
  /** parts that the provider has taken */
  readonly paid: number
  readonly held: readonly [Holding | null, Holding | null]
}

export interface State {
  readonly people: readonly [Person, Person]
  readonly spent: number
  readonly cancelled: boolean
  /** replies that may still be lost */
  readonly losses: number
}

const untouched: Person = { byte: 'pending', owner: undefined, taken: 0, isDone: false, paid: 0, held: [null, null] }
export const firstState: State = { people: [untouched, untouched], spent: 0, cancelled: false, losses: 1 }

const put = <T>(pair: readonly [T, T], at: number, value: T): [T, T] => (at === 0 ? [value, pair[1]] : [pair[0], value])

const change = (state: State, at: number, more: Partial<Person>): State => ({
  ...state,
  people: put(state.people, at, { ...(state.people[at] as Person), ...more }),
})
const hold = (state: State, at: number, by: 0 | 1, holding: Holding | null): State =>
  change(state, at, { held: put((state.people[at] as Person).held, by, holding) })

/** By the owner of the claim; who is granted the mark may send. */
function mark(
  rules: Rules,
  state: State,
  at: number,
  { sawLeft, sawMarked }: Holding,
): { state: State; granted: boolean } {
  const { byte } = state.people[at] as Person
  const no = (to: Byte) => ({ state: change(state, at, { byte: to, isDone: true }), granted: false })
  // a process that died may have sent: this channel folds no resends
  if (byte === 'attempting' && sawMarked) return no('unknown')
  if (byte === 'attempting')
    return { state: { ...state, spent: state.spent + (rules.spendsOnce ? 0 : 1) }, granted: true }
  if (byte !== 'pending') return { state, granted: false }
  if (state.cancelled) return no('cancelled')
  const left = rules.looksAsItMarks ? ceiling - state.spent : sawLeft
  if (left < 1) return no('suppressed')
  return { state: { ...change(state, at, { byte: 'attempting' }), spent: state.spent + 1 }, granted: true }
}

const bytes = {
  sent: 'sent',
  failed: 'failed',
  throttled: 'pending',
  'partly-taken': 'pending',
  'no-answer': 'unknown',
} as const

function answer(rules: Rules, state: State, at: number, said: Answer): State {
  const { byte } = state.people[at] as Person
  const isNothing =
    said === 'failed' ||
    said === 'throttled' ||
    (said === 'partly-taken' && !rules.keepsParts) ||
    (said === 'no-answer' && !rules.keepsUnknown)
  const isOpen = byte === 'attempting'
  const back = isNothing && rules.givesBack && (isOpen || !rules.givesBackOnce) ? 1 : 0
  const to = isOpen ? { byte: bytes[said], isDone: bytes[said] !== 'pending' } : {}
  return { ...change(state, at, to), spent: state.spent - back }
}

/** The step is done, and whoever asked for it may not learn so: then it is done again. */
function orAgain(before: State, done: State, at: number, by: 0 | 1, next: Holding | null): State[] {
  const same = (before.people[at] as Person).held[by]
  const again = before.losses > 0 ? [{ ...hold(done, at, by, same), losses: before.losses - 1 }] : []
  return [hold(done, at, by, next), ...again]
}

function ofHolding(rules: Rules, state: State, at: number, by: 0 | 1): State[] {
  const { held, owner, paid } = state.people[at] as Person
  const holding = held[by]
  if (!holding) return []
  const dies = hold(state, at, by, null)
  if (holding.at === 'marked') {
    const answers: Answer[] = ['sent', 'failed', 'throttled', 'partly-taken', 'no-answer']
    return [
      dies,
      ...answers.flatMap((said) => {
        const after = hold(state, at, by, { ...holding, at: 'answered', answer: said })
        const isPaid = said === 'sent' || said === 'partly-taken'
        const taken = change(after, at, { paid: paid + 1 })
        return said === 'no-answer' ? [after, taken] : [isPaid ? taken : after]
      }),
    ]
  }
  if (owner !== by) return [dies]
  if (holding.at === 'taken') {
    const { state: marked, granted } = mark(rules, state, at, holding)
    return [dies, ...orAgain(state, marked, at, by, granted ? { ...holding, at: 'marked' } : null)]
  }
  const written = answer(rules, state, at, holding.answer as Answer)
  return [dies, ...orAgain(state, written, at, by, null)]
}

export function next(rules: Rules, state: State): State[] {
  const following: State[] = state.cancelled ? [] : [{ ...state, cancelled: true }]
  for (const at of [0, 1] as const) {
    const { byte, isDone, taken, owner } = state.people[at] as Person
    for (const by of [0, 1] as const) {
      following.push(...ofHolding(rules, state, at, by))
      const isFree = taken < takes[at]
      if (isDone || !isFree || (owner === by && (state.people[at] as Person).held[by])) continue
      const seen: Holding = { at: 'taken', sawLeft: ceiling - state.spent, sawMarked: byte === 'attempting' }
      following.push(change(hold(state, at, by, seen), at, { owner: by, taken: taken + 1 }))
    }
  }
  return following
}

export const paidIn = ({ people }: State): number => people.reduce((sum, { paid }) => sum + paid, 0)

/** What may have been paid for, by what is known of them. */
export const accountedIn = ({ people }: State): number =>
  people.reduce(
    (sum, { byte, paid }) => sum + (byte === 'unknown' || byte === 'attempting' ? Math.max(1, paid) : paid),
    0,
  )
