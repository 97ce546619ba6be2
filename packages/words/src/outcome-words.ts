/** What has become of a message, in words. Every person is counted once in a sentence, and everyone of the audience is. */
import type { Ending, HistoryView, PeopleClass, PeopleCounts, Why } from '@courier-fleet/api-types'
import { endingOf, isOver, silentChannels } from '@courier-fleet/api-types/outcome'
import { peopleClasses } from '@courier-fleet/api-types/people-classes'
import { smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { type ChangeWords, findChannel, tellsMore } from '@courier-fleet/channels'
import type { Catalogue, Language } from './catalogue.ts'
import { correctionWords } from './correction-words.ts'
import { deadlineWords } from './deadline-words.ts'
import { areAllHeld, heldIn, isHeldByRule } from './held-people.ts'
import { isHeldBack, planWords } from './plan-words.ts'
import { spentInAll } from './spent-words.ts'
import { wordsIn } from './words-in.ts'

export interface ClassLine {
  readonly class: PeopleClass
  readonly count: number
  /** `taken by the operator, not confirmed yet` */
  readonly words: string
  /** `not confirmed` */
  readonly short: string
  /** of those not delivered or unknown, the most frequent first */
  readonly why: readonly { readonly why: Why; readonly count: number; readonly words: string }[]
}

export interface OutcomeWords {
  readonly ending: Ending
  /** all that is known, in one or more sentences */
  readonly sentence: string
  /** of it what neither the numbers of the lines nor the state say: what was planned, who waits for what until when */
  readonly beside: string
  /** the same so that one SMS holds it */
  readonly short: string
  /** the classes that somebody is in; none before it has started */
  readonly lines: readonly ClassLine[]
}

export interface OutcomeForm {
  /** a moment, Unix ms, on the clock of the reader; ISO 8601 when absent */
  readonly moment?: (ms: number) => string
}

type Facts = Pick<
  HistoryView,
  | 'state'
  | 'at'
  | 'heldSince'
  | 'plan'
  | 'audience'
  | 'expected'
  | 'channels'
  | 'waiting'
  | 'people'
  | 'confirmed'
  | 'versions'
  | 'deadline'
  | 'recalled'
  | 'steps'
  | 'ceiling'
>

export function outcomeWords(language: Language, history: Facts, { moment = iso }: OutcomeForm = {}): OutcomeWords {
  const words = wordsIn(language)
  const size = history.audience?.size ?? 0
  const ending = endingOf(history)
  const { people } = history
  if (!people) {
    const said = notStarted(language, history, size, moment)
    return { ending, ...said, lines: [] }
  }
  const lines = linesOf(language, history, people)
  const result = resultSentence(words, language, history, ending, lines)
  const stillToCome = isOver(history) ? [] : outstanding(words, language, history, moment)
  const isQuiet = isOver(history) || ending === 'everyone' || ending === 'nobody' || isWaiting(history)
  const going = isQuiet ? [] : [words.running]
  const { confirmed } = history
  const before = history.versions?.at(-2)?.confirmed
  const read = [
    ...correctionWords(language, history),
    ...deadlineWords(language, history),
    ...readWords(language, history),
    ...(confirmed ? [words.confirmed(confirmed.yes, confirmed.of)] : []),
    ...(before ? [words.confirmedBefore(before)] : []),
  ]
  return {
    ending,
    sentence: [...going, result, ...stillToCome, ...read, ...spentInAll(language, history)].join(' '),
    beside: [...stillToCome, ...read].join(' '),
    short: shortOf(language, history, ending, lines),
    lines,
  }
}

/** Of each channel that tells who has read: how many have, those who have confirmed it there among them. */
function readWords(language: Language, { channels }: Facts): string[] {
  return Object.entries(channels).flatMap(([leg, { read, confirmed }]) => {
    const isSaid = read > 0 && !leg.includes('~')
    return isSaid ? [wordsIn(language).readOn(channelName(language, leg), read + confirmed)] : []
  })
}

/** What a channel is called; its own name where the fleet does not know it (any more). */
export function channelName(language: Language, leg: string): string {
  const [name = leg] = leg.split('~')
  return findChannel(name)?.words[language].name ?? name
}

const isWaiting = (history: Facts) => !isOver(history) && areAllHeld(history)
const isPartlyWaiting = (history: Facts) => !isOver(history) && heldIn(history).length > 0
const iso = (ms: number) => new Date(ms).toISOString()

function notStarted(
  language: Language,
  { state, at = '', heldSince, plan }: Facts,
  size: number,
  moment: (ms: number) => string,
): Pick<OutcomeWords, 'sentence' | 'beside' | 'short'> {
  const words = wordsIn(language)
  if (state === 'issued') return { sentence: words.issued, beside: '', short: words.issued }
  if (state === 'cancelled') return { sentence: words.cancelled(size), beside: '', short: words.short.cancelled }
  if (heldSince) {
    const sentence = words.held(moment(Date.parse(at)), size)
    return { sentence, beside: sentence, short: words.short.held(size) }
  }
  const planned = plan && isHeldBack(plan) && planWords(language, plan, { moment, isForLater: true })
  const said = planned ? [planned.sentence, words.plan.workedOut(moment(Date.parse(plan.asOf)))] : []
  const sentence = [words.scheduled(moment(Date.parse(at)), size), ...said].join(' ')
  return { sentence, beside: said.join(' '), short: words.short.scheduled(size) }
}

function linesOf(language: Language, history: Facts, people: PeopleCounts): ClassLine[] {
  const words = wordsIn(language)
  const why = { notDelivered: people.why, unknown: people.whyUnknown } as Partial<
    Record<PeopleClass, Partial<Record<Why, number>>>
  >
  return peopleClasses
    .filter((name) => people[name] > 0)
    .map((name) => ({
      class: name,
      count: people[name],
      words: classWords(language, history, name),
      short: shortWords(language, history, name, 'short'),
      why: (Object.entries(why[name] ?? {}) as [Why, number][])
        .sort(([, one], [, other]) => other - one)
        .map(([each, count]) => ({ why: each, count, words: words.whys[each] })),
    }))
}

/** A message that was taken is described as its channels describe it: by those on which somebody's was. */
function classWords(language: Language, history: Facts, name: PeopleClass): string {
  const words = wordsIn(language)
  if (name === 'pending') return pendingWords(words, history, 'classes')
  if (name !== 'sentToChat' && name !== 'handedOver') return words.classes[name]
  const said = eachSaid(words, takenOn(history, name), (leg) => sentWords(language, leg))
  if (said === '') return words.classes[name]
  return name === 'handedOver' ? words.notConfirmed(said) : said
}

/** Whoever waits because of a rule is not being sent to; how many of them there are, and until when, stands beside it. */
function pendingWords(words: Catalogue, history: Facts, form: 'classes' | 'shortClasses' | 'shortestClasses'): string {
  if (isWaiting(history)) return words.allHeld
  if (!isPartlyWaiting(history)) return words[form].pending
  return form === 'classes' ? words.someHeld : words.shortSomeHeld
}

const forms = {
  short: { classes: 'shortClasses', sent: 'shortSent' },
  shortest: { classes: 'shortestClasses', sent: 'shortestSent' },
} as const

/** The same in few words: what the channels do not say themselves is said of all alike. */
function shortWords(language: Language, history: Facts, name: PeopleClass, form: keyof typeof forms): string {
  const words = wordsIn(language)
  const { classes, sent } = forms[form]
  if (name === 'pending') return pendingWords(words, history, classes)
  const legs = name === 'sentToChat' ? takenOn(history, name) : []
  return eachSaid(words, legs, (leg) => sentWords(language, leg, sent)) || words[classes][name]
}

/** The legs that tell so much, and on which somebody's was taken; all of them where the counters do not have it yet. */
function takenOn({ channels }: Facts, name: 'sentToChat' | 'handedOver'): string[] {
  const legs = Object.keys(channels).filter((leg) => tellsMore(leg) === (name === 'handedOver'))
  const counted = legs.filter((leg) => (channels[leg]?.sent ?? 0) > 0)
  return counted.length > 0 ? counted : legs
}

const eachSaid = (words: Catalogue, legs: readonly string[], sayOf: (leg: string) => string): string =>
  [...new Set(legs.map(sayOf))].join(` ${words.or} `)

/** Where changes are only told to a system. */
export function changeWords(language: Language, leg: string): ChangeWords | undefined {
  const [name = leg] = leg.split('~')
  return findChannel(name)?.words[language].changes
}

/** What `sent` means on this channel. */
export function sentWords(
  language: Language,
  leg: string,
  form: 'sent' | 'shortSent' | 'shortestSent' = 'sent',
): string {
  const [name = leg] = leg.split('~')
  return findChannel(name)?.words[language][form] ?? wordsIn(language).receipts.sent
}

function resultSentence(
  words: Catalogue,
  language: Language,
  history: Facts,
  ending: Ending,
  lines: readonly ClassLine[],
): string {
  const size = history.audience?.size ?? 0
  const [first, ...others] = lines
  if (ending === 'nobody') {
    return words.nobody(size, history.expected.map((leg) => channelName(language, leg)).join(', '))
  }
  if (ending === 'everyone' && first) {
    if (others.length === 0) return words.everyone(first.count, size)
    return `${words.everyoneWithContact(first.count, size)} ${listed(words, others)}.`
  }
  const headline = !isOver(history)
    ? []
    : ending === 'nothing'
      ? [words.nothing]
      : ending === 'unknown'
        ? [words.nothingKnown]
        : []
  return [...headline, `${words.of(size)} ${listed(words, lines)}.`].join(' ')
}

/** `5 delivered; 2 not delivered (1 blocked us, 1 account gone)` */
const listed = (words: Catalogue, lines: readonly ClassLine[]) =>
  lines.map((line) => `${words.counted(line.count, line.words)}${whyIn(words, line)}`).join('; ')

function whyIn(words: Catalogue, { why }: ClassLine): string {
  return why.length === 0 ? '' : ` (${why.map((each) => words.counted(each.count, each.words)).join(', ')})`
}

/** waves told of in one sentence; the history shows all of them */
const maxWaves = 3

/** Who is at it still, and what waits for what until when; whoever waits is counted among those still to be sent to. */
function outstanding(words: Catalogue, language: Language, history: Facts, moment: (ms: number) => string): string[] {
  const waves = (history.waiting ?? []).filter(({ cause }) => !isHeldByRule(cause)).slice(0, maxWaves)
  // of whom is said when they go on, it need not be said that they have not finished
  const others = silentChannels(history).filter((leg) => !waves.some(({ channel }) => channel === leg))
  return [
    ...(others.length > 0 ? [words.silent(others.map((leg) => channelName(language, leg)).join(', '))] : []),
    // of several that are near nothing else is said
    ...new Set(
      waves.map(({ channel, at, cause }) =>
        words.waiting(channelName(language, channel), moment(Date.parse(at)), words.causes[cause]),
      ),
    ),
    ...heldIn(history)
      .slice(0, maxWaves)
      .map(({ at, people, cause, how }) => {
        const until = moment(Date.parse(at))
        return cause === 'online'
          ? words.awaited[how](people, until)
          : words.heldUntil[how](people, until, words.causes[cause])
      }),
  ]
}

function shortOf(language: Language, history: Facts, ending: Ending, lines: readonly ClassLine[]): string {
  const { short } = wordsIn(language)
  const size = history.audience?.size ?? 0
  const [first, ...others] = lines
  if (ending === 'nobody') return short.nobody(size)
  if (ending === 'everyone' && others.length === 0) return short.everyone(size)
  const all = (form: keyof typeof forms) => {
    const counts = lines.map(({ class: name, count }) => `${shortWords(language, history, name, form)} ${count}`)
    return `${short.of(size)} ${counts.join(', ')}`
  }
  const delivered = first?.class === 'delivered' ? first.count : 0
  const candidates = [all('short'), all('shortest'), `${short.of(size)} ${fourThings(short, lines)}`]
  return candidates.find(isOnePart) ?? short.elsewhere(delivered, size)
}

/** sent to the chat or handed over is sent; whoever is still being sent to may get it or not; without a contact nobody got it */
const things: Readonly<Record<PeopleClass, 0 | 1 | 2 | 3>> = {
  delivered: 0,
  sentToChat: 1,
  handedOver: 1,
  pending: 2,
  // no channel has reached them
  toldByVoice: 3,
  unknown: 2,
  notDelivered: 3,
  withoutContact: 3,
}

function fourThings({ fourThings: names }: Catalogue['short'], lines: readonly ClassLine[]): string {
  const counts = names.map((name, thing) => ({
    name,
    count: lines.reduce((sum, line) => sum + (things[line.class] === thing ? line.count : 0), 0),
  }))
  return counts.flatMap(({ name, count }) => (count > 0 ? [`${name} ${count}`] : [])).join(', ')
}

const isOnePart = (text: string) => smsPartsOf(text).parts.length <= 1
