/**
 * Who is sent a message when: asked of the same decide() as couriers ask, with what is known of people now, and nothing is written.
 * What they and operators change later is not in it, so a plan says when it was worked out.
 */
import type { MessageClass, MessageRules, Plan } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import {
  createPlanCount,
  createQuietClock,
  type Decision,
  decide,
  outlookOf,
  type Policy,
  type QuietFact,
  type QuietPolicy,
  quietPolicyOf,
  quietSpanOf,
  switchesOf,
} from '@courier-fleet/rules'
import { idsOf, type LiveSettings, type PackedAudience, readChannels } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { cached } from './cached.ts'
import { ProblemWithFacts } from './problem-with-facts.ts'

export interface PlannedMessage {
  readonly channels?: readonly string[] | undefined
  readonly class: MessageClass
  readonly rules?: MessageRules | undefined
  /** Unix ms; 0 = now */
  readonly dueMs: number
  /** Unix ms; 0 = a day after due */
  readonly expiresMs: number
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
  /**
   * @returns undefined where no rule of the fleet holds for it: then it costs nothing, and nobody's contacts are read
   * @throws Problem 422 `nobody-in-time` where it would have expired before anybody may have it
   */
  planOf(audience: Audience, message: PlannedMessage): Promise<Plan | undefined>
}

export interface ForecastDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'allContactsOf' | 'findPeople'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly rules: { readonly timeZone: string }
}

const dayMs = 86_400_000
/** people whose contacts are read in one go: other requests are served in between */
const pageSize = 500
/** a larger audience is looked at by a sample: who is asked is spread evenly over it */
const maxExact = 100_000

/** of somebody nobody has tried to reach yet; what has expired by the end of a hold outlookOf() says */
const policy: Omit<Policy, 'switches'> = { foldsResends: true, maxWaitMs: 0, maxTries: 1 }

interface Forecasting extends ForecastDeps {
  readonly channelsInUse: () => Promise<readonly string[]>
}

async function startForecast(deps: Forecasting, message: PlannedMessage): Promise<Forecast> {
  const { directory, clock, rules } = deps
  const current = deps.settings.current()
  const asOfMs = clock.now()
  const nowMs = Math.max(asOfMs, message.dueMs)
  const expiresMs = message.expiresMs || nowMs + dayMs
  const quiet = quietPolicyOf({ class: message.class, ...message.rules }, current)
  const quietClock = createQuietClock(rules.timeZone)
  const channels = new Set(message.channels ?? (await deps.channelsInUse()))
  const count = createPlanCount()
  let possibleMs = Number.POSITIVE_INFINITY

  function quietOf(contact: Contact, zone: string | undefined): QuietFact | undefined {
    const span = quietSpanOf(quiet, contact.wishes?.quiet)
    const found = span && quietClock.at(nowMs, span, zone)
    return found?.isQuiet ? { untilMs: found.untilMs, jitterMs: 0 } : undefined
  }

  const decideOn = (channel: string, contact: Contact, zone: string | undefined): Decision => {
    const switches = switchesOf(channel, message.rules?.type, current)
    return decide({ receipt: 'pending', contact, quiet: quietOf(contact, zone) }, { ...policy, switches }, nowMs)
  }

  return {
    async add(people, contacts) {
      const zones = await zonesOf(directory, people, contacts, quiet)
      for (const [index, own] of contacts.entries()) {
        const decisions = Object.entries(own)
          .filter(([channel]) => channels.has(channel))
          .map(([channel, contact]) => decideOn(channel, contact, zones[index]))
        count.add(outlookOf(decisions, expiresMs))
        for (const decision of decisions)
          if (decision.kind === 'hold') possibleMs = Math.min(possibleMs, decision.untilMs)
      }
    },
    plan: (size) => count.plan(asOfMs, size),
    firstPossibleMs: () => (Number.isFinite(possibleMs) ? possibleMs : undefined),
  }
}

/** Read only where somebody's hours may depend on it. */
async function zonesOf(
  directory: ForecastDeps['directory'],
  people: readonly string[],
  contacts: readonly Readonly<Record<string, Contact>>[],
  { fleet, own }: QuietPolicy,
): Promise<(string | undefined)[]> {
  const hasOwn = own && contacts.some((each) => Object.values(each).some(({ wishes }) => wishes?.quiet !== undefined))
  if (!fleet && !hasOwn) return []
  return (await directory.findPeople(people)).map((person) => person?.timeZone)
}

/** channels come into use with the first start of a courier: hardly ever */
const channelsForMs = 1_000

export function createForecasts(deps: ForecastDeps): Forecasts {
  const forecasting = { ...deps, channelsInUse: cached(channelsForMs, () => channelsInUse(deps)) }
  const hasRules = (message: PlannedMessage) =>
    quietPolicyOf({ class: message.class, ...message.rules }, deps.settings.current()).fleet !== undefined

  return {
    start: (message) => startForecast(forecasting, message),

    async planOf(audience, message) {
      if (!hasRules(message)) return undefined
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
