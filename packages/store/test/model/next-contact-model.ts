/**
 * One person with two contacts on a channel whose provider folds no resends, as the scripts and processes go about it: the claim that tries the first, the one that
 * tries the second, each taken over once, answers whose reply is lost and that are said again, and reports of either contact. Each `rule` left out is an omission.
 */
export interface Rules {
  /** the next one is begun in the step that says that the one before has certainly failed */
  readonly beginsAtOnce: boolean
  /** only by what is certain: who is unknown is not sent it at the other */
  readonly onlyCertain: boolean
  /** what a claim says of somebody whose try by it is over is not taken */
  readonly knowsItsTries: boolean
  /** nor where another claim is at them */
  readonly knowsOtherClaims: boolean
  /** a report names the contact it is of */
  readonly namesContacts: boolean
  /** what is over is kept, and the contact is not tried again */
  readonly keepsTries: boolean
}

type Receipt = 'pending' | 'attempting' | 'sent' | 'delivered' | 'failed' | 'unknown'
type Contact = 0 | 1
type Attempt = 'none' | 'begun' | 'refused' | 'taken' | 'undelivered' | 'delivered'
type Does = 'mark' | 'say-unknown' | 'call' | 'say-failed' | 'say-sent' | 'finish'

interface Claim {
  /** a process, and after a crash another */
  readonly owner: 0 | 1 | 2
  readonly does: Does
  readonly contact: Contact
  /** an answer whose reply was lost has been said again */
  readonly isRepeated: boolean
}

export interface State {
  readonly receipt: Receipt
  /** the contact that the receipt is about, and the claim that marked it */
  readonly about: Contact
  readonly by: Contact | undefined
  readonly isFirstOver: boolean
  readonly claims: readonly [Claim | undefined, Claim | undefined]
  readonly attempts: readonly [Attempt, Attempt]
  readonly calls: readonly [number, number]
  /** reports that came, also those that came again */
  readonly reports: readonly [number, number]
  readonly fault?: string
}

const unread: Claim = { owner: 0, does: 'finish', contact: 0, isRepeated: false }

export const firstState: State = {
  receipt: 'pending',
  about: 0,
  by: undefined,
  isFirstOver: false,
  claims: [unread, undefined],
  attempts: ['none', 'none'],
  calls: [0, 0],
  reports: [0, 0],
}

const put = <T>(pair: readonly [T, T], at: Contact, value: T): [T, T] =>
  at === 0 ? [value, pair[1]] : [pair[0], value]
const withClaim = (state: State, at: Contact, claim: Claim | undefined): State => ({
  ...state,
  claims: put(state.claims, at, claim),
})

/** Who claims it, or takes it over, goes by what there is then. */
function read(state: State, at: Contact): State {
  const claim = state.claims[at] as Claim
  const does = state.receipt === 'pending' ? 'mark' : state.receipt === 'attempting' ? 'say-unknown' : 'finish'
  const owner = (claim.owner + 1) as Claim['owner']
  return withClaim(state, at, { owner, does, contact: state.isFirstOver ? 1 : 0, isRepeated: false })
}

/** Whether what this claim says is of another contact than the receipt is about. */
function isOfAnother(rules: Rules, { claims, by, receipt, isFirstOver }: State, at: Contact): boolean {
  if (rules.knowsItsTries && at === 0 && isFirstOver) return true
  return rules.knowsOtherClaims && receipt === 'attempting' && by !== at && by !== undefined && claims[by] !== undefined
}

function mark(rules: Rules, state: State, at: Contact, claim: Claim): State {
  const { contact } = claim
  const refused = withClaim(state, at, { ...claim, does: 'finish' })
  if (state.receipt !== 'pending' || isOfAnother(rules, state, at)) return refused
  const [before] = state.attempts
  const isCertain = before === 'refused' || before === 'undelivered'
  const fault =
    contact === 0 ? undefined : before === 'delivered' ? 'after a receipt' : isCertain ? undefined : 'while in doubt'
  return {
    ...withClaim(state, at, { ...claim, does: 'call' }),
    receipt: 'attempting',
    about: contact,
    by: at,
    attempts: put(state.attempts, contact, 'begun'),
    ...(fault ? { fault } : {}),
  }
}

/** The first has failed: pending, and a claim of the other. */
function begin(rules: Rules, state: State): State {
  if (!rules.beginsAtOnce || state.about === 1 || state.claims[1]) return state
  return { ...state, receipt: 'pending', isFirstOver: rules.keepsTries, claims: put(state.claims, 1, unread) }
}

function say(rules: Rules, state: State, at: Contact, claim: Claim, receipt: Receipt): State {
  if (state.receipt !== 'attempting' || isOfAnother(rules, state, at)) return state
  const isWrong = receipt !== 'unknown' ? state.about !== claim.contact : state.by !== at
  const said: State = { ...state, receipt, ...(isWrong ? { fault: 'told of another' } : {}) }
  return receipt === 'failed' || (receipt === 'unknown' && !rules.onlyCertain) ? begin(rules, said) : said
}

function ofClaim(rules: Rules, state: State, at: Contact): State[] {
  const claim = state.claims[at]
  if (!claim) return []
  if (claim.owner === 0) return [read(state, at)]
  const following = claim.owner === 1 ? [read(state, at)] : []
  const done = withClaim(state, at, undefined)
  switch (claim.does) {
    case 'mark':
      return [...following, mark(rules, state, at, claim)]
    case 'call': {
      const called = { ...state, calls: put(state.calls, claim.contact, state.calls[claim.contact] + 1) }
      const answered = (['refused', 'taken'] as const).map((what) =>
        withClaim({ ...called, attempts: put(state.attempts, claim.contact, what) }, at, {
          ...claim,
          does: what === 'taken' ? 'say-sent' : 'say-failed',
        }),
      )
      return [...following, ...answered]
    }
    case 'finish':
      return [...following, done]
    default: {
      const word = { 'say-unknown': 'unknown', 'say-failed': 'failed', 'say-sent': 'sent' } as const
      const said = say(rules, state, at, claim, word[claim.does])
      // the reply is lost, and the client says it again
      const again = claim.isRepeated ? [] : [withClaim(said, at, { ...claim, isRepeated: true })]
      return [...following, ...again, withClaim(said, at, { ...claim, does: 'finish' })]
    }
  }
}

function report(rules: Rules, state: State, contact: Contact, what: 'undelivered' | 'delivered'): State {
  const came: State = {
    ...state,
    reports: put(state.reports, contact, state.reports[contact] + 1),
    attempts: put(state.attempts, contact, what),
  }
  const isOfReceipt = state.about === contact && !(contact === 0 && state.isFirstOver)
  if (!isOfReceipt && rules.namesContacts) {
    const isKnown = what === 'delivered' && (state.receipt === 'pending' || state.receipt === 'failed')
    return isKnown ? { ...came, receipt: 'delivered', about: contact } : came
  }
  const mayFollow =
    what === 'delivered' ? state.receipt !== 'failed' : 'sent attempting unknown'.includes(state.receipt)
  if (!mayFollow) return came
  const fault = what === 'undelivered' && !isOfReceipt ? { fault: 'told of another' } : {}
  const said: State = { ...came, receipt: what === 'delivered' ? 'delivered' : 'failed', ...fault }
  return what === 'undelivered' ? begin(rules, said) : said
}

function ofReports(rules: Rules, state: State, contact: Contact): State[] {
  const attempt = state.attempts[contact]
  if (state.reports[contact] === 2) return []
  if (attempt === 'taken')
    return (['undelivered', 'delivered'] as const).map((what) => report(rules, state, contact, what))
  return attempt === 'undelivered' || attempt === 'delivered' ? [report(rules, state, contact, attempt)] : []
}

export const next = (rules: Rules, state: State): State[] =>
  ([0, 1] as const).flatMap((at) => [...ofClaim(rules, state, at), ...ofReports(rules, state, at)])
