/**
 * One person each of two messages whose budget is enough for one of them, and two processes: the claim of each is taken, reserved, marked,
 * handed to the provider, answered, recorded, let go of and settled. Each process may die or freeze after any step, its claim be taken over, each
 * reply be lost. Whoever is refused looks for what was left. Each `rule` left out is an omission.
 */
export interface Rules {
  /** nobody is marked before what they cost is reserved */
  readonly reservesFirst: boolean
  /** whoever takes a claim over becomes the owner of what was reserved for it */
  readonly becomesOwner: boolean
  /** a reservation is ended only by its owner */
  readonly endsOwn: boolean
  /** of whom nobody knows whether they have it, it stays spent */
  readonly keepsUnknown: boolean
  /** whoever looks for what was left ends nothing of a claim that is not over */
  readonly looksAtClaims: boolean
  /** the receipt is read after the claim was seen to be over */
  readonly settlesByReceipt: boolean
}

export const budget = 1
/** how often the claim of each person is taken, at most */
const takes = [3, 1] as const

type Byte = 'pending' | 'attempting' | 'sent' | 'failed' | 'unknown' | 'suppressed'
type Step = 'taken' | 'reserved' | 'marked' | 'answered' | 'recorded'
type Answer = 'sent' | 'failed' | 'no-answer'

/** What a process holds of one person. */
interface Holding {
  readonly at: Step
  /** the how manieth time the claim was taken */
  readonly deliveries: number
  /** as it knows it reserved */
  readonly owned: number
  readonly answer?: Answer | undefined
  /** by the receipt as it was written: what is reserved is to be given back */
  readonly isBack?: boolean | undefined
}

interface Person {
  readonly byte: Byte
  readonly owner: 0 | 1 | undefined
  readonly taken: number
  /** the entry is off its stream */
  readonly isOver: boolean
  /** the delivery count that stands in the reservation; undefined: there is none */
  readonly reserved: number | undefined
  /** what the provider has taken */
  readonly paid: number
  readonly held: readonly [Holding | null, Holding | null]
}

export interface State {
  readonly people: readonly [Person, Person]
  readonly spent: number
  /** replies that may still be lost */
  readonly losses: number
}

const untouched: Person = {
  byte: 'pending',
  owner: undefined,
  taken: 0,
  isOver: false,
  reserved: undefined,
  paid: 0,
  held: [null, null],
}
export const firstState: State = { people: [untouched, untouched], spent: 0, losses: 1 }

const put = <T>(pair: readonly [T, T], at: number, value: T): [T, T] => (at === 0 ? [value, pair[1]] : [pair[0], value])
const change = (state: State, at: number, more: Partial<Person>): State => ({
  ...state,
  people: put(state.people, at, { ...(state.people[at] as Person), ...more }),
})
const hold = (state: State, at: number, by: 0 | 1, holding: Holding | null): State =>
  change(state, at, { held: put((state.people[at] as Person).held, by, holding) })

/** The step is done, and whoever asked for it may not learn so: then it is done again. */
function orAgain(before: State, done: State, at: number, by: 0 | 1, next: Holding | null): State[] {
  const same = (before.people[at] as Person).held[by]
  const again = before.losses > 0 ? [{ ...hold(done, at, by, same), losses: before.losses - 1 }] : []
  return [hold(done, at, by, next), ...again]
}

function reserve(rules: Rules, state: State, at: number, { deliveries }: Holding): { state: State; granted: boolean } {
  const { reserved } = state.people[at] as Person
  if (reserved !== undefined) {
    const owner = rules.becomesOwner ? Math.max(reserved, deliveries) : reserved
    return { state: change(state, at, { reserved: owner }), granted: true }
  }
  if (state.spent + 1 > budget) return { state, granted: false }
  return { state: { ...change(state, at, { reserved: deliveries }), spent: state.spent + 1 }, granted: true }
}

/** What another process has left: of claims that are over, by their receipts. */
function look(rules: Rules, state: State): State {
  let found = state
  for (const at of [0, 1] as const) {
    const { isOver, byte, reserved } = found.people[at] as Person
    if (reserved === undefined || (!isOver && rules.looksAtClaims) || byte === 'attempting') continue
    const isBack = byte === 'pending' || byte === 'suppressed' || !rules.settlesByReceipt
    found = { ...change(found, at, { reserved: undefined }), spent: found.spent - (isBack ? 1 : 0) }
  }
  return found
}

const bytes = { sent: 'sent', failed: 'failed', 'no-answer': 'unknown' } as const

/** By the owner of the claim. */
function mark(state: State, at: number, by: 0 | 1, holding: Holding): State[] {
  const { byte } = state.people[at] as Person
  if (byte === 'pending')
    return orAgain(state, change(state, at, { byte: 'attempting' }), at, by, { ...holding, at: 'marked' })
  // a process that died may have sent: this channel folds no resends
  if (byte === 'attempting') return [hold(state, at, by, { ...holding, at: 'answered', answer: 'no-answer' })]
  return [hold(state, at, by, { ...holding, at: 'recorded', isBack: false })]
}

function settle(rules: Rules, state: State, at: number, by: 0 | 1, { owned, isBack }: Holding): State[] {
  const { reserved } = state.people[at] as Person
  const isOwn = reserved !== undefined && owned > 0 && (reserved === owned || !rules.endsOwn)
  if (!isOwn) return [hold(state, at, by, null)]
  const done = { ...change(state, at, { reserved: undefined }), spent: state.spent - (isBack ? 1 : 0) }
  return orAgain(state, done, at, by, null)
}

/** Whoever is refused looks, and asks again. */
function refusedOr(rules: Rules, state: State, at: number, by: 0 | 1, holding: Holding): State[] {
  const first = reserve(rules, state, at, holding)
  const { state: asked, granted } = first.granted ? first : reserve(rules, look(rules, state), at, holding)
  if (granted) return orAgain(state, asked, at, by, { ...holding, at: 'reserved', owned: holding.deliveries })
  const { byte, owner } = asked.people[at] as Person
  const isOwn = owner === by && byte === 'pending'
  return [hold(isOwn ? change(asked, at, { byte: 'suppressed', isOver: true }) : asked, at, by, null)]
}

function ofHolding(rules: Rules, state: State, at: number, by: 0 | 1): State[] {
  const { held, owner, paid, byte } = state.people[at] as Person
  const holding = held[by]
  if (!holding) return []
  const dies = hold(state, at, by, null)
  const isOwner = owner === by && (state.people[at] as Person).taken === holding.deliveries
  switch (holding.at) {
    case 'taken':
      // whoever is marked has been reserved before
      if (byte !== 'pending' || !rules.reservesFirst) return isOwner ? [dies, ...mark(state, at, by, holding)] : [dies]
      return [dies, ...refusedOr(rules, state, at, by, holding)]
    case 'reserved': {
      // it may stop before it marks anybody; until the claim is let go of, it may be taken over
      const handsBack = hold(state, at, by, { ...holding, at: 'recorded', isBack: true })
      const letsGo = change(handsBack, at, { isOver: true })
      const stops = byte === 'pending' ? [handsBack, letsGo] : []
      return isOwner ? [dies, ...mark(state, at, by, holding), ...stops] : [dies]
    }
    case 'marked': {
      const answers: Answer[] = ['sent', 'failed', 'no-answer']
      return [
        dies,
        ...answers.flatMap((answer) => {
          const after = hold(state, at, by, { ...holding, at: 'answered', answer })
          const taken = change(after, at, { paid: paid + 1 })
          if (answer === 'no-answer') return [after, taken]
          return [answer === 'sent' ? taken : after]
        }),
      ]
    }
    case 'answered': {
      if (!isOwner) return [dies]
      const to = byte === 'attempting' ? bytes[holding.answer as Answer] : byte
      const written = change(state, at, { byte: to, isOver: true })
      const isBack = to === 'failed' || (to === 'unknown' && !rules.keepsUnknown)
      return [dies, ...orAgain(state, written, at, by, { ...holding, at: 'recorded', isBack })]
    }
    case 'recorded':
      return [dies, ...settle(rules, state, at, by, holding)]
  }
}

export function next(rules: Rules, state: State): State[] {
  const following: State[] = []
  for (const at of [0, 1] as const) {
    const { isOver, taken, owner, held } = state.people[at] as Person
    for (const by of [0, 1] as const) {
      following.push(...ofHolding(rules, state, at, by))
      if (isOver || taken >= takes[at] || (owner === by && held[by])) continue
      const seen: Holding = { at: 'taken', deliveries: taken + 1, owned: 0 }
      following.push(change(hold(state, at, by, seen), at, { owner: by, taken: taken + 1 }))
    }
  }
  return following
}

export const paidIn = ({ people }: State): number => people.reduce((sum, { paid }) => sum + paid, 0)

/** Nobody is at work any more, and somebody asks: what is left then is what was taken, or may have been. */
export function isLeftBehind(rules: Rules, state: State): boolean {
  const isAtRest = state.people.every(({ held, isOver }) => isOver && held.every((each) => each === null))
  if (!isAtRest) return false
  const { people, spent } = look(rules, state)
  // a failure that nobody has settled stays spent
  const mayBeSpent = people.filter(({ byte }) => byte !== 'pending' && byte !== 'suppressed').length
  return spent > mayBeSpent
}
