/**
 * Who is sent a message when: asked of the same decide() as couriers ask, with what is known of people now, and nothing is written.
 * What they and operators change later is not in it, so a plan says when it was worked out.
 */
import {
  type BudgetView,
  durationMs,
  hourReasons,
  type MessageClass,
  type MessageRules,
  type Personal,
  type Plan,
  type Reader,
  type Recheck,
  typeOf,
} from '@courier-fleet/api-types'
import { channelNames, renderedOn } from '@courier-fleet/channels'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import {
  countPolicyOf,
  createCalendarClock,
  createExamClock,
  createPlanCount,
  createQuietClock,
  decide,
  examsFor,
  type Foreseen,
  foresee,
  groupsOf,
  maxQuietJitterMs,
  needsDay,
  type Outlook,
  type Policy,
  type QuietFact,
  type QuietPolicy,
  quietPolicyOf,
  quietSpanOf,
  reachOf,
  termsOf,
  textHashOf,
} from '@courier-fleet/rules'
import {
  idsOf,
  type LiveSettings,
  type PackedAudience,
  type Redis,
  readChannels,
  readDiaries,
} from '@courier-fleet/store'
import { hostOf } from '../acceptance/check-recheck.ts'
import type { AskingWords } from '../acceptance/fitting-text.ts'
import { cached } from '../http/cached.ts'
import { ProblemWithFacts } from '../http/problem-with-facts.ts'
import { type ChannelPaces, createChannelPaces } from './channel-paces.ts'
import { createExpectedSends } from './expected-sends.ts'
import { createMostCost } from './most-cost.ts'

export interface PlannedMessage {
  readonly channels?: readonly string[] | undefined
  readonly class: MessageClass
  readonly rules?: MessageRules | undefined
  /** no rule about people holds for URLs */
  readonly areUrls?: boolean
  /** it goes out to people when they are online */
  readonly online?: boolean | undefined
  /** asked right before it is sent */
  readonly recheck?: Recheck | undefined
  /** for who was sent the same before; nobody was when absent */
  readonly text?: string | undefined
  readonly personal?: Personal | undefined
  readonly subject?: string | undefined
  readonly files?: readonly { readonly id: string }[] | undefined
  /** Unix ms; 0 = now */
  readonly dueMs: number
  /** Unix ms; 0 = a day after due */
  readonly expiresMs: number
  /** what it comes to is foretold, too: on each channel, and in money */
  readonly foretold?: Words | undefined
  /** what its SMS cost at most is worked out, too */
  readonly priced?: Priced | undefined
}

interface Words {
  /** as they go out; undefined while there is no text */
  readonly words: AskingWords | undefined
}

interface Priced extends Words {
  /** that hold for it */
  readonly budgets?: readonly BudgetView[]
}

/** Whom it is for, read page by page. */
export interface Audience {
  readonly size: number
  /** of the ordinals from … to-1, as far as there are so many */
  people(from: number, to: number): Promise<readonly string[]>
}

/** As it was expanded from what the sender has named. */
export const audienceOf = (packed: PackedAudience): Audience => ({
  size: packed.size,
  people: async (from, to) => idsOf(packed, from, to),
})

/** The plan of one message, from its people page by page. */
export interface Forecast {
  /** @param contacts by channel, in the order of the people */
  add(people: readonly string[], contacts: readonly Readonly<Record<string, Contact>>[]): Promise<void>
  /** @param size of the whole audience */
  plan(size: number): Plan
  /** When the first of those who never get it in time could, Unix ms; undefined where time is not what they lack. */
  firstPossibleMs(): number | undefined
}

export interface Forecasts {
  start(message: PlannedMessage): Promise<Forecast>
  /** Whether a rule of the fleet holds for it, or it asks for its plan. */
  concern(message: PlannedMessage): boolean
  /**
   * @returns undefined where no rule of the fleet holds for it: then it costs nothing, and nobody's contacts are read
   * @throws Problem 422 `nobody-in-time` where it would have expired before anybody may have it
   */
  planOf(audience: Audience, message: PlannedMessage): Promise<Plan | undefined>
}

export interface ForecastDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'allContactsOf' | 'findPeople' | 'findInFull' | 'groupsAmong'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly rules: { readonly timeZone: string }
}

const dayMs = 86_400_000
/** people whose contacts are read in one go: other requests are served in between */
const pageSize = 2_000
/** a larger audience is looked at by a sample: who is asked is spread evenly over it */
const maxExact = 100_000

/** of somebody nobody has tried to reach yet */
const untried: Omit<Policy, 'switches'> = { foldsResends: true, maxWaitMs: 0, maxTries: 1 }

interface Forecasting extends ForecastDeps {
  readonly channelsInUse: () => Promise<readonly string[]>
  readonly paces: ChannelPaces
}

/** What says when somebody is to be left alone. */
interface Whereabouts {
  readonly zone: string | undefined
  /** that sit exams */
  readonly groups: readonly string[]
}

const isOfTime = (why: string) => hourReasons.some((each) => each === why)

async function startForecast(deps: Forecasting, message: PlannedMessage): Promise<Forecast> {
  const { redis, directory, clock, rules } = deps
  const settings = deps.settings.current()
  const asOfMs = clock.now()
  const dueMs = Math.max(asOfMs, message.dueMs)
  const expiresMs = message.expiresMs || dueMs + dayMs
  const quiet = quietPolicyOf({ class: message.class, ...message.rules }, settings)
  const counting = countPolicyOf(message.class, message.rules, settings, settings.version)?.rules ?? []
  const hashFor = hashesOf(message)
  const foreseen = { dueMs, expiresMs, rules: counting, online: message.online }
  const exams = examsFor({ class: message.class, ...message.rules }, settings, dueMs, expiresMs)
  const examClock = createExamClock(exams)
  const quietClock = createQuietClock(rules.timeZone)
  const calendar = createCalendarClock()
  const channels = new Set(message.channels ?? (await deps.channelsInUse()))
  const count = createPlanCount()
  const sums = await sumsOf(deps, message, channels, dueMs)
  /** of the person who is looked at: the end of their quiet hours, or exam */
  let openMs = Number.POSITIVE_INFINITY
  let possibleMs = Number.POSITIVE_INFINITY

  function quietOf(contact: Contact, zone: string | undefined, atMs: number): QuietFact | undefined {
    const span = quietSpanOf(quiet, contact.wishes?.quiet)
    const found = span && quietClock.at(atMs, span, zone)
    return found?.isQuiet ? { untilMs: found.untilMs, jitterMs: 0 } : undefined
  }

  const policyOn = policiesOf((channel) => {
    return { ...untried, ...termsOf(channel, message.rules?.type, settings), expiresMs }
  })

  function decideOn(channel: string, contact: Contact, { zone, groups }: Whereabouts, atMs: number): Foreseen {
    const heldFor = quietOf(contact, zone, atMs)
    const ofGroups = examClock.at(atMs, groups, quietClock.zoneOf(zone))
    const exam = ofGroups.isQuiet ? ofGroups : undefined
    openMs = Math.min(openMs, exam?.untilMs ?? heldFor?.untilMs ?? openMs)
    const decision = decide({ receipt: 'pending', contact, quiet: heldFor, exam }, policyOn(channel), atMs)
    if (decision.kind !== 'hold' || decision.cause !== 'quiet') return decision
    // how much of it falls to whom depends on the key of the message, which has none yet
    const { untilMs } = decision
    return { ...decision, lastMs: untilMs + maxQuietJitterMs(untilMs, quiet.jitterMinutes, expiresMs) }
  }

  return {
    async add(people, contacts) {
      const [zones, readers, groups, diaries] = await Promise.all([
        zonesOf(directory, people, contacts, quiet, needsDay(counting) || exams.length > 0),
        readersOf(directory, people, message),
        exams.length > 0 ? directory.groupsAmong(groupsOf(exams), people) : [],
        counting.length > 0 ? readDiaries(redis, people, asOfMs - reachOf(counting), asOfMs) : [],
      ])
      for (const [index, contactsOfOne] of contacts.entries()) {
        const own = Object.entries(contactsOfOne).filter(([channel]) => channels.has(channel))
        const zone = zones[index]
        const where = { zone, groups: groups[index] ?? [] }
        openMs = Number.POSITIVE_INFINITY
        const reader = readers[index] ?? { id: people[index] as string }
        const textHash = hashFor(reader)
        const outlookOn = (some: typeof own) =>
          foresee(
            { ...foreseen, textHash },
            {
              decideAt: (atMs) => some.map(([channel, contact]) => decideOn(channel, contact, where, atMs)),
              diary: diaries[index] ?? [],
              dayAt: (atMs) => calendar.dayAt(atMs, quietClock.zoneOf(zone)),
            },
          )
        const outlook = outlookOn(own)
        count.add(outlook)
        if (outlook.kind === 'never' && isOfTime(outlook.why)) possibleMs = Math.min(possibleMs, openMs)
        sums?.add(own, outlookOn, reader)
      }
    },
    plan: (size) => ({
      ...count.plan(asOfMs, size),
      ...(message.recheck ? { recheck: hostOf(message.recheck.url) } : {}),
      ...sums?.views(asOfMs, size),
    }),
    firstPossibleMs: () => (Number.isFinite(possibleMs) ? possibleMs : undefined),
  }
}

/** Of each channel, made once. */
function policiesOf(make: (channel: string) => Policy): (channel: string) => Policy {
  const made = new Map<string, Policy>()
  return (channel) => {
    const policy = made.get(channel) ?? make(channel)
    made.set(channel, policy)
    return policy
  }
}

/** What is said in a plan of what the message comes to. */
interface Sums {
  /** One person, by their contacts. */
  add(own: readonly Own[], outlookOn: (some: [string, Contact][]) => Outlook, reader: Reader): void
  views(asOfMs: number, size: number): Pick<Plan, 'forecast' | 'costAtMost' | 'budgets'>
}

/** @returns undefined where nothing of it was asked for */
async function sumsOf(
  { paces, settings }: Forecasting,
  { foretold, priced, rules }: PlannedMessage,
  channels: ReadonlySet<string>,
  dueMs: number,
): Promise<Sums | undefined> {
  const { tariffs, types } = settings.current()
  const { deadline } = typeOf(types, rules?.type)
  const deadlineMs = deadline === undefined ? undefined : durationMs(deadline)
  const common = { channels, tariffs }
  const sends =
    foretold &&
    createExpectedSends({ ...foretold, ...common, paces: await paces.read([...channels]), dueMs, deadlineMs })
  const most = priced && createMostCost({ ...priced, ...common })
  if (!sends && !most) return undefined
  return {
    add(own, outlookOn, reader) {
      const onEach = onEachOf(own, outlookOn)
      sends?.add(onEach, reader)
      most?.add(onEach, reader)
    },
    views(asOfMs, size) {
      const costAtMost = most?.cost(asOfMs, size)
      const budgets = costAtMost && priced?.budgets?.length ? { budgets: [...priced.budgets] } : {}
      const foreseen = sends ? { forecast: sends.forecast(asOfMs, size) } : {}
      return { ...foreseen, ...(costAtMost ? { costAtMost } : {}), ...budgets }
    },
  }
}

type Own = readonly [channel: string, contact: Contact]

/** Each channel by itself: who is held on one may be sent it at once on another. */
const onEachOf = (own: readonly Own[], outlookOn: (some: [string, Contact][]) => Outlook) =>
  new Map(
    own.map(([channel, contact]) => {
      const { address, others = [] } = contact
      const further = others.filter(({ state }) => state === 'active').map((other) => other.address)
      return [channel, { outlook: outlookOn([[channel, contact]]), address, further }]
    }),
  )

/** By what is written to each: what two messages have in common. */
function hashesOf({ text, personal, subject, files }: PlannedMessage): (reader: Reader) => string {
  const same = text === undefined ? '' : textHashOf({ text, subject, files })
  if (text === undefined || !personal) return () => same
  return (reader) => textHashOf({ text: renderedOn('', { text, personal }, reader).text ?? text, subject, files })
}

/** Read only where they read it each in another way. */
const readersOf = async (
  directory: Pick<Directory, 'findInFull'>,
  people: readonly string[],
  { personal }: { readonly personal?: Personal | undefined },
): Promise<readonly (Reader | undefined)[]> => (personal ? directory.findInFull(people) : [])

/** Read only where somebody's hours may depend on it. */
async function zonesOf(
  directory: ForecastDeps['directory'],
  people: readonly string[],
  contacts: readonly Readonly<Record<string, Contact>>[],
  { fleet, own }: QuietPolicy,
  isNeeded: boolean,
): Promise<(string | undefined)[]> {
  const hasOwn = own && contacts.some((each) => Object.values(each).some(({ wishes }) => wishes?.quiet !== undefined))
  if (!fleet && !hasOwn && !isNeeded) return []
  return (await directory.findPeople(people)).map((person) => person?.timeZone)
}

/** channels come into use with the first start of a courier: hardly ever */
const channelsForMs = 1_000

export function createForecasts(deps: ForecastDeps): Forecasts {
  const forecasting = {
    ...deps,
    channelsInUse: cached(channelsForMs, () => channelsInUse(deps)),
    paces: createChannelPaces(deps),
  }
  const concern = (message: PlannedMessage) => {
    if (message.areUrls) return false
    const settings = deps.settings.current()
    const quiet = quietPolicyOf({ class: message.class, ...message.rules }, settings)
    const counting = countPolicyOf(message.class, message.rules, settings, settings.version)
    const dueMs = Math.max(deps.clock.now(), message.dueMs)
    const exams = examsFor(
      { class: message.class, ...message.rules },
      settings,
      dueMs,
      message.expiresMs || dueMs + dayMs,
    )
    if (message.online || message.recheck || message.foretold || message.priced) return true
    return quiet.fleet !== undefined || exams.length > 0 || (counting?.rules.length ?? 0) > 0
  }

  return {
    start: (message) => startForecast(forecasting, message),
    concern,

    async planOf(audience, message) {
      if (!concern(message)) return undefined
      const forecast = await startForecast(forecasting, message)
      const step = sampleStep(audience.size)
      for (let from = 0; from < audience.size; from += pageSize * step) {
        const page = await audience.people(from, from + pageSize * step)
        const people = page.filter((_person, index) => index % step === 0)
        await forecast.add(people, await deps.directory.allContactsOf(people))
      }
      const plan = forecast.plan(audience.size)
      requireSomebodyInTime(plan, forecast.firstPossibleMs())
      return plan
    },
  }
}

/** Those that a message is for which names none; all there are where no courier was started yet. */
async function channelsInUse({ redis, shards }: ForecastDeps): Promise<readonly string[]> {
  const inUse = [...(await readChannels(redis, shards))].filter(([, use]) => use === 'in-use').map(([name]) => name)
  return inUse.length > 0 ? inUse : channelNames
}

/** So many people from one who is asked to the next. */
export const sampleStep = (size: number): number => (size > maxExact ? Math.ceil((2 * size) / maxExact) : 1)

/** What a sample says is not certain enough to refuse anything. */
function requireSomebodyInTime(plan: Plan, firstPossibleMs: number | undefined): void {
  if (firstPossibleMs === undefined || plan.now > 0 || plan.later.length > 0 || plan.sample !== undefined) return
  const possibleAt = new Date(firstPossibleMs).toISOString()
  const detail = `it would expire before anybody may have it; the first could have it at ${possibleAt}: let it expire later`
  throw new ProblemWithFacts(422, 'nobody-in-time', detail, { possibleAt }, 'expires')
}
