/**
 * Two messages to one person that wait until they are online, a courier for each, two who report, cancel and expiry, step by step as
 * presence.ts of couriers and of store and the scripts of lua/ do it. Every step may be the last before a crash, and a reply may be lost, so
 * that a script runs again. Nothing here is random: next() tells every state that can follow.
 */
export interface Rules {
  /** a claim of the wave is for whoever is still w, and for nobody else */
  readonly ownsByByte: boolean
  /** whoever puts somebody into the wave looks whether they were called meanwhile */
  readonly defersByByte: boolean
  /** that a message is over is read before who waits, and nobody is called after it */
  readonly readsEndFirst: boolean
  /** the report names what it has taken */
  readonly namesWhatItTook: boolean
}

type Message = 0 | 1
type Ended = 'cancelled' | 'expired'
type Byte = 'none' | 'w' | 'k' | 'c'

export interface Claim {
  /** of the message itself, of the wave, of somebody who was called out of it */
  readonly kind: 'range' | 'wave' | 'own'
  readonly at: 'idle' | 'byte' | 'decide' | 'call' | 'done' | 'defer' | 'mark' | 'send' | 'record' | 'end'
  readonly ended: Ended | null
  readonly byte: Byte
}

export interface Sent {
  readonly claims: readonly Claim[]
  readonly isInWave: boolean
  readonly byte: Byte
  readonly receipt: 'pending' | 'attempting' | 'sent' | Ended
  readonly ended: Ended | null
  /** kinds of claims under which the provider has taken it; of one claim it folds a resend */
  readonly taken: readonly Claim['kind'][]
  readonly wasRecordedOver: boolean
}

export interface Reporter {
  readonly at: 'idle' | 'take' | 'call' | 'done'
  readonly id: number
  readonly member: Message | null
  readonly isOver: boolean
}

export interface State {
  readonly messages: readonly [Sent, Sent]
  readonly isSecondDue: boolean
  readonly list: readonly Message[]
  /** online:…, and what of its time is not over: it still counts, and nobody else is called */
  readonly report: { readonly id: number; readonly member: Message | null } | null
  readonly isFresh: boolean
  readonly isLocked: boolean
  readonly reporters: readonly [Reporter, Reporter]
  readonly reports: number
  readonly faultsLeft: number
}

const maxReports = 1
const fresh: Claim = { kind: 'range', at: 'idle', ended: null, byte: 'none' }
const unsent: Sent = {
  claims: [],
  isInWave: false,
  byte: 'none',
  receipt: 'pending',
  ended: null,
  taken: [],
  wasRecordedOver: false,
}
const nobody: Reporter = { at: 'idle', id: 0, member: null, isOver: false }

export const firstState: State = {
  messages: [{ ...unsent, claims: [fresh] }, unsent],
  isSecondDue: false,
  list: [],
  report: null,
  isFresh: false,
  isLocked: false,
  reporters: [nobody, nobody],
  reports: 0,
  faultsLeft: 1,
}

const both = [0, 1] as const

/** Nothing can follow but the passing of time. */
export const isLast = (state: State): boolean =>
  state.isSecondDue && state.messages.every(({ claims, receipt }) => claims.length === 0 && receipt !== 'pending')

export function next(rules: Rules, state: State): State[] {
  return [
    ...both.flatMap((which) => state.messages[which].claims.flatMap((_claim, at) => steps(rules, state, which, at))),
    ...both.flatMap((which) => wake(state, which)),
    ...both.flatMap((who) => reportSteps(rules, state, who)),
    ...(state.isSecondDue ? [] : [put({ ...state, isSecondDue: true }, 1, { claims: [fresh] })]),
    ...both.flatMap((which) => end(state, which)),
    ...(state.isLocked ? [{ ...state, isLocked: false }] : []),
    ...(mayLapse(state) ? [{ ...state, isFresh: false, report: null }] : []),
  ]
}

/** A script whose reply was lost runs again within the minute that a report is known. */
const mayLapse = ({ isFresh, isLocked, report, reporters }: State): boolean =>
  isFresh && !isLocked && !reporters.some(({ at, id }) => at === 'take' && id === report?.id)

function put(state: State, which: Message, change: Partial<Sent>): State {
  const [first, second] = state.messages
  return {
    ...state,
    messages: which === 0 ? [{ ...first, ...change }, second] : [first, { ...second, ...change }],
  }
}

function claimAt(
  state: State,
  which: Message,
  at: number,
  change: Partial<Claim> | null,
  more: Partial<Sent> = {},
): State {
  const claims = state.messages[which].claims.flatMap((claim, index) =>
    index !== at ? [claim] : change ? [{ ...claim, ...change }] : [],
  )
  return put(state, which, { claims: [...claims, ...(more.claims ?? [])], ...omitClaims(more) })
}

const omitClaims = ({ claims: _, ...rest }: Partial<Sent>) => rest

/** What a claim does next; or its process ends, and another has it from the beginning. */
function steps(rules: Rules, state: State, which: Message, at: number): State[] {
  const claim = state.messages[which].claims[at] as Claim
  const crashed =
    state.faultsLeft > 0 && claim.at !== 'idle'
      ? [claimAt({ ...state, faultsLeft: state.faultsLeft - 1 }, which, at, { at: 'idle', ended: null, byte: 'none' })]
      : []
  return [...crashed, ...step(rules, state, which, at, claim)]
}

function step(rules: Rules, state: State, which: Message, at: number, claim: Claim): State[] {
  const message = state.messages[which]
  const to = (change: Partial<Claim> | null, more: Partial<Sent> = {}, of = state) => [
    claimAt(of, which, at, change, more),
  ]
  const readEnd = { ended: message.ended }
  const readByte = { byte: message.byte }
  if (claim.at === 'idle') {
    if (claim.kind !== 'wave' && message.receipt === 'attempting') return to({ at: 'send' })
    if (claim.kind !== 'wave' && message.receipt !== 'pending') return to(null)
    return to({ at: 'byte', ...(rules.readsEndFirst ? readEnd : readByte) })
  }
  if (claim.at === 'byte') return to({ at: 'decide', ...(rules.readsEndFirst ? readByte : readEnd) })
  if (claim.at === 'decide')
    return claim.kind === 'wave' ? decideWave(rules, claim, to) : decide(rules, state, which, claim, to)
  if (claim.at === 'call') return [claimAt(call(rules, state, which).state, which, at, { at: 'done' })]
  if (claim.at === 'done')
    return to({ at: 'mark' }, {}, { ...state, list: state.list.filter((each) => each !== which) })
  if (claim.at === 'defer') {
    const isCalled = rules.defersByByte && message.byte === 'k'
    if (isCalled) return to(null, { byte: 'c', claims: [{ ...fresh, kind: 'own' }] })
    return to(null, { isInWave: true, byte: message.byte === 'none' ? 'w' : message.byte })
  }
  if (claim.at === 'mark') {
    if (message.receipt !== 'pending' && message.receipt !== 'attempting') return to(null)
    return message.ended ? to(null, { receipt: message.ended }) : to({ at: 'send' }, { receipt: 'attempting' })
  }
  if (claim.at === 'send') {
    const taken = message.taken.includes(claim.kind) ? message.taken : [...message.taken, claim.kind]
    return to({ at: 'record' }, { taken })
  }
  if (claim.at === 'record')
    return message.receipt === 'attempting'
      ? to(null, { receipt: 'sent' })
      : to(null, { wasRecordedOver: message.receipt !== 'sent' })
  // the end of the wave: the table of receipts lets who is attempting expire, or be cancelled
  const isOpen = message.receipt === 'pending' || message.receipt === 'attempting'
  return to(null, isOpen ? { receipt: claim.ended as Ended } : {})
}

type To = (change: Partial<Claim> | null, more?: Partial<Sent>, of?: State) => State[]

function decideWave(rules: Rules, claim: Claim, to: To): State[] {
  if (rules.ownsByByte && claim.byte !== 'w') return to(null)
  if (claim.ended) return to({ at: 'end' })
  return claim.byte === 'w' ? to(null, { isInWave: true }) : to({ at: 'mark' })
}

function decide(rules: Rules, state: State, which: Message, claim: Claim, to: To): State[] {
  if (claim.byte === 'w') return to(null)
  if (claim.ended || claim.byte !== 'none') return to({ at: 'mark' })
  const { report } = state
  const isUnused = report !== null && report.member === null && state.isFresh
  const isOwn = rules.namesWhatItTook && report?.member === which
  const list = !state.list.includes(which) ? ([...state.list, which].sort() as Message[]) : state.list
  if (isOwn) return to({ at: 'call' }, {}, { ...state, list })
  if (!isUnused) return to({ at: 'defer' }, {}, { ...state, list })
  return to({ at: 'call' }, {}, { ...state, list, report: { id: report.id, member: which }, isLocked: true })
}

function call(rules: Rules, state: State, which: Message): { state: State; isOver: boolean } {
  const message = state.messages[which]
  const wasCalled = message.byte === 'k' || message.byte === 'c'
  if (rules.readsEndFirst && message.ended) return { state, isOver: !wasCalled }
  if (message.receipt !== 'pending' || wasCalled) return { state, isOver: !wasCalled }
  if (message.byte === 'none') return { state: put(state, which, { byte: 'k' }), isOver: false }
  const claims = [...message.claims, { ...fresh, kind: 'own' } as const]
  return { state: put(state, which, { byte: 'c', claims }), isOver: false }
}

/** The wave falls due when the message is over, or when nobody of it waits any more; when the rules have changed, it is woken, too. */
function wake(state: State, which: Message): State[] {
  const { isInWave, ended, byte, claims } = state.messages[which]
  if (!isInWave) return []
  const isDue = ended !== null || byte !== 'w'
  if (!isDue && state.faultsLeft === 0) return []
  const woken = isDue ? state : { ...state, faultsLeft: 0 }
  return [put(woken, which, { isInWave: false, claims: [...claims, { ...fresh, kind: 'wave' }] })]
}

/** The first may end at any moment, the second at last: what holds of one holds of the other. */
function end(state: State, which: Message): State[] {
  const { ended } = state.messages[which]
  const isFirstOver = state.messages[0].claims.length === 0 && state.messages[0].receipt !== 'pending'
  if (ended || (which === 1 && !(state.isSecondDue && isFirstOver))) return []
  const cancelled = which === 0 ? [put(state, which, { ended: 'cancelled' })] : []
  return [put(state, which, { ended: 'expired' }), ...cancelled]
}

function reportSteps(rules: Rules, state: State, who: Message): State[] {
  const reporter = state.reporters[who]
  const [one, other] = state.reporters
  const as = (change: Partial<Reporter>, of: State = state): State => ({
    ...of,
    reporters: who === 0 ? [{ ...one, ...change }, other] : [one, { ...other, ...change }],
  })
  if (reporter.at === 'idle')
    return state.reports < maxReports
      ? [as({ ...nobody, at: 'take', id: state.reports + 1 }, { ...state, reports: state.reports + 1 })]
      : []
  const { done, again } =
    reporter.at === 'take'
      ? taking(rules, state, reporter)
      : reporter.at === 'call'
        ? calling(rules, state, reporter)
        : finishing(state, reporter)
  const faulty = { faultsLeft: state.faultsLeft - 1 }
  // the process ends; or the reply is lost, and the script runs again
  const faults = state.faultsLeft > 0 ? [as(nobody, { ...state, ...faulty }), as({}, { ...again, ...faulty })] : []
  return [...faults, as(done, again)]
}

interface Reported {
  readonly done: Partial<Reporter>
  readonly again: State
}

function taking(rules: Rules, state: State, { id, member: over }: Reporter): Reported {
  const { report, list } = state
  if (report && report.member !== null && report.id !== id && state.isLocked) return { done: nobody, again: state }
  if (rules.namesWhatItTook && report && report.id === id && report.member !== null && report.member !== over) {
    const { member } = report
    return { done: list.includes(member) ? { at: 'call', member } : nobody, again: state }
  }
  const waiting = list.filter((each) => state.messages[each].ended !== 'expired')
  const member = waiting[0] ?? null
  const taken = { ...state, list: waiting, report: { id, member }, isFresh: true, isLocked: member !== null }
  return { done: member === null ? nobody : { at: 'call', member }, again: taken }
}

function calling(rules: Rules, state: State, { member }: Reporter): Reported {
  const { state: again, isOver } = call(rules, state, member as Message)
  return { done: { at: 'done', isOver }, again }
}

function finishing(state: State, { member, isOver }: Reporter): Reported {
  const again = { ...state, list: state.list.filter((each) => each !== member) }
  return { done: isOver ? { at: 'take' } : nobody, again }
}
