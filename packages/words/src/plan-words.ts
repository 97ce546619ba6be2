/** Who is sent a message when, in words: what the rules said when it was worked out, and nothing more. */
import type { Plan } from '@courier-fleet/api-types'
import { ruleReasons } from '@courier-fleet/api-types/reasons'
import type { Catalogue, Language } from './catalogue.ts'
import { timeOf } from './time-of.ts'
import { wordsIn } from './words-in.ts'

export interface PlanForm {
  /** a moment, Unix ms, on the clock of the reader; ISO 8601 when absent */
  readonly moment?: (ms: number) => string
  /** the same, as short as it can be understood */
  readonly clock?: (ms: number) => string
  /** the message is for later: who is not held gets it then, and not now */
  readonly isForLater?: boolean
}

export interface PlanWords {
  /** `Of 363 people: 312 now; 48 from 08:00 (quiet hours of the recipients); 3 never (3 without a contact).` */
  readonly sentence: string
  /** `312 now, 48 at 08:00, 3 never` */
  readonly short: string
  /** the same without the times */
  readonly shortest: string
}

const iso = (ms: number) => new Date(ms).toISOString()

/** @returns undefined where there is nothing to say: everyone is sent it as soon as it is due */
export function planWords(language: Language, plan: Plan, form: PlanForm = {}): PlanWords | undefined {
  if (plan.later.length === 0 && plan.never.length === 0 && plan.recheck === undefined) return undefined
  const words = wordsIn(language)
  const asked = plan.recheck === undefined ? [] : [words.plan.recheck(plan.recheck)]
  return { sentence: [sentenceOf(words, plan, form), ...asked].join(' '), ...shortOf(words, plan, form) }
}

const byRules: ReadonlySet<string> = new Set([...ruleReasons, 'expired'])
/** Whether a rule holds anybody back, for a time or altogether: beside a list of who cannot be reached there is nothing else to say. */
export const isHeldBack = ({ later, never, recheck }: Plan): boolean =>
  recheck !== undefined || later.length > 0 || never.some(({ why }) => byRules.has(why))

export const laterIn = ({ later }: Plan): number => sum(later)
export const neverIn = ({ never }: Plan): number => sum(never)
/** How many it was worked out for. */
export const plannedIn = (plan: Plan): number => plan.now + laterIn(plan) + neverIn(plan)

function sentenceOf(words: Catalogue, plan: Plan, { moment = iso, isForLater = false }: PlanForm): string {
  const { plan: said, causes, whys, counted } = words
  const size = plannedIn(plan)
  const [first, ...others] = plan.later
  const momentOf = ({ at }: Plan['later'][number]) => moment(Date.parse(at))
  const endOf = (row: Plan['later'][number]) => untilIn(row, moment)
  /** of those who are to be online first: from when on, where that is not now */
  const fromOf = (row: Plan['later'][number]) => (row.at > plan.asOf ? momentOf(row) : undefined)
  if (first?.people === size && others.length === 0)
    return first.cause === 'online'
      ? said.allOnline(size, fromOf(first))
      : said.allAt(size, momentOf(first), endOf(first), causes[first.cause])
  const why = plan.never.map(({ people, why: name }) => {
    return counted(people, name === 'no-contact' ? words.classes.withoutContact : (said.whys[name] ?? whys[name]))
  })
  const parts = [
    ...(plan.now > 0 ? [counted(plan.now, isForLater ? said.whenDue : said.now)] : []),
    ...plan.later.map((each) =>
      each.cause === 'online'
        ? counted(each.people, said.online(fromOf(each)))
        : `${counted(each.people, said.from(momentOf(each), endOf(each)))} (${causes[each.cause]})`,
    ),
    ...(why.length > 0 ? [`${counted(neverIn(plan), said.never)} (${why.join(', ')})`] : []),
  ]
  return `${said.of(size, plan.sample !== undefined)} ${parts.join('; ')}.`
}

function shortOf(words: Catalogue, plan: Plan, { clock = iso, isForLater = false }: PlanForm) {
  const { short } = words.plan
  const never = neverIn(plan)
  const first = plan.now === 0 ? [] : [isForLater ? short.whenDue(plan.now) : short.now(plan.now)]
  const last = never === 0 ? [] : [short.never(never)]
  const times = plan.later.map((row) =>
    row.cause === 'online'
      ? short.online(row.people)
      : short.at(row.people, clock(Date.parse(row.at)), untilIn(row, clock)),
  )
  const later = laterIn(plan) === 0 ? [] : [short.later(laterIn(plan))]
  return { short: [...first, ...times, ...last].join(', '), shortest: [...first, ...later, ...last].join(', ') }
}

/** Of moments such as `2 Sep, 08:02` the day is said once where both are of the same. */
function untilIn({ at, until }: Plan['later'][number], moment: (ms: number) => string): string | undefined {
  if (until === undefined) return undefined
  return timeOf(moment(Date.parse(until)), moment(Date.parse(at)))
}

const sum = (rows: readonly { readonly people: number }[]) => rows.reduce((all, { people }) => all + people, 0)
