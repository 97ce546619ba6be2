/**
 * Quiet hours and exams in one send job: what is read for them, and what they mean for somebody at a moment of the job's clock. The time of day is
 * Redis's, by which waves fall due. What no rule asks for is not read: where no quiet hours and no exams are set and nobody has hours of
 * their own there is no command.
 */
import { heldCauses, memberOf } from '@courier-fleet/api-types'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import {
  createQuietClock,
  type Policy,
  type Quiet,
  type QuietFact,
  type QuietPolicy,
  quietJitterMs,
  quietPolicyOf,
  quietSpanOf,
} from '@courier-fleet/rules'
import { type Figures, keys, type Redis, redisNow, type Settings } from '@courier-fleet/store'
import type { Claim } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import { heeding, type JobExams, type People, readExams } from './job-exams.ts'

export interface JobQuietDeps {
  readonly redis: Redis
  readonly courier: { readonly channel: string }
  readonly directory: Pick<Directory, 'findPeople' | 'groupsAmong'>
  readonly figures: Figures
  readonly clock: Clock
  readonly fleetZone: string
}

/** Somebody's quiet hours, by the job's clock. */
export interface OwnQuiet {
  /** undefined: it is not quiet now */
  readonly fact: QuietFact | undefined
  /** undefined: no exam of theirs is on now */
  readonly exam?: { readonly untilMs: number } | undefined
  /** from when on the one or the other is so; undefined: never, as far as is known */
  readonly fromMs: number | undefined
}

export interface JobQuiet {
  /** Redis's clock less the job's, at least; undefined where nothing was read */
  readonly redisAheadMs: number | undefined
  /** of the message: what decide() has to know of it; undefined where nothing was read */
  termsOf(buffer: ClaimBuffer): Pick<Policy, 'expiresMs' | 'cancelsHeld'> | undefined
  /** Whether it goes out in spite of the fleet's hours: whoever is held then is held by their own. */
  isSentNow(buffer: ClaimBuffer): boolean
  /** people of the whole message; undefined where nothing was read */
  sizeOf(buffer: ClaimBuffer): number | undefined
  at(buffer: ClaimBuffer, person: string, contact: Pick<Contact, 'wishes'>, nowMs: number): OwnQuiet
}

/** What is known of a message, once it was read. */
interface Terms {
  readonly expiresMs: number
  readonly size: number
  /** somebody has had it sent in spite of the fleet's quiet hours */
  readonly isSentNow: boolean
  readonly cancelsHeld: boolean
}

/** Redis's clock less the job's, between two bounds: Redis was asked before it said what time it is, and its answer was read after that. */
interface AheadBounds {
  readonly leastMs: number
  readonly mostMs: number
}

const neverQuiet: OwnQuiet = { fact: undefined, fromMs: undefined }
const dayMs = 86_400_000

export const isHeldCause = (cause: Claim['cause']): boolean => heldCauses.some((each) => each === cause)

/** Reads in the round trip of the contacts what the fleet's hours need, and after it what those need who have their own. */
export async function readQuiet(
  claims: readonly People[],
  contacts: Promise<readonly (Contact | undefined)[]>,
  settings: Settings,
  deps: JobQuietDeps,
): Promise<JobQuiet> {
  const ofPeople = claims.filter(({ buffer }) => !buffer.message.urls)
  const policies = new Map(
    ofPeople.map(({ buffer }): [ClaimBuffer, QuietPolicy] => {
      const { claim, message } = buffer
      return [buffer, quietPolicyOf({ class: claim.class, ...message.rules }, settings)]
    }),
  )
  const isOfFleet = ({ buffer }: People) => policies.get(buffer)?.fleet !== undefined
  const examined = heeding(ofPeople, settings)
  const quiet = createJobQuiet(policies, deps)
  await Promise.all([
    contacts,
    quiet.read(
      claims.filter((each) => isOfFleet(each) || isHeldCause(each.buffer.claim.cause)),
      claims.filter(isOfFleet).flatMap(({ people }) => people),
    ),
    quiet.readExams(examined, settings),
  ])
  const needsZone = (buffer: ClaimBuffer, person: string, contact: Contact | undefined) =>
    quiet.hasExam(buffer, person) || (policies.get(buffer)?.own === true && typeof contact?.wishes?.quiet === 'object')
  const own = withOwnTimes(claims, await contacts, needsZone).filter((each) => !isOfFleet(each))
  await quiet.read(
    own,
    own.flatMap(({ people }) => people),
  )
  return quiet
}

/** Of each claim those who have quiet hours of their own, or an exam; claims where nobody has are left out. */
function withOwnTimes(
  claims: readonly People[],
  contacts: readonly (Contact | undefined)[],
  has: (buffer: ClaimBuffer, person: string, contact: Contact | undefined) => boolean,
): People[] {
  let at = 0
  return claims.flatMap(({ buffer, people }) => {
    const first = at
    at += people.length
    const own = people.filter((person, index) => has(buffer, person, contacts[first + index]))
    return own.length > 0 ? [{ buffer, people: own }] : []
  })
}

async function readTerms(redis: Redis, { claim: { ref, cause } }: ClaimBuffer): Promise<Terms> {
  const cancelled = `cancelled:${isHeldCause(cause) ? cause : 'quiet'}`
  const fields = await redis.hmget(keys.history(ref), 'expires', 'due', 'size', 'sent-now:quiet', cancelled)
  const [expires, due, size, sentNow, by] = fields
  return {
    expiresMs: expires ? Number(expires) : Number(due) + dayMs,
    size: Number(size),
    isSentNow: sentNow !== null,
    cancelsHeld: by !== null,
  }
}

function createJobQuiet(policies: ReadonlyMap<ClaimBuffer, QuietPolicy>, deps: JobQuietDeps) {
  const { redis, courier, directory, figures, clock, fleetZone } = deps
  const hours = createQuietClock(fleetZone)
  const zones = new Map<string, string | undefined>()
  const terms = new Map<ClaimBuffer, Terms>()
  let ahead: AheadBounds | undefined
  let exams: JobExams | undefined

  async function readTime(): Promise<void> {
    const askedAtMs = clock.now()
    const redisNowMs = await redisNow(redis, keys.fleet)
    ahead ??= { leastMs: redisNowMs - clock.now(), mostMs: redisNowMs - askedAtMs }
  }

  async function readZones(people: readonly string[]): Promise<void> {
    if (people.length === 0) return
    const found = await directory.findPeople(people)
    for (const [index, person] of people.entries()) zones.set(person, found[index]?.timeZone)
    const unknown = people.filter((person) => hours.zoneOf(zones.get(person)) !== zones.get(person)).length
    if (unknown > 0) figures.count('unknown_zones', [courier.channel], unknown)
  }

  async function readJobExams(claims: readonly People[], settings: Settings): Promise<void> {
    if (claims.length === 0) return
    await readTime()
    exams = await readExams(claims, settings, clock.now() + (ahead?.leastMs ?? 0), directory)
  }

  function at(buffer: ClaimBuffer, person: string, contact: Pick<Contact, 'wishes'>, nowMs: number): OwnQuiet {
    if (!ahead) return neverQuiet
    const quiet = quietHoursAt(buffer, person, contact, nowMs, ahead)
    const clockOfExams = exams?.of(buffer, person, hours.zoneOf(zones.get(person)))
    if (!clockOfExams) return quiet
    const { isQuiet, untilMs } = inJobTime(nowMs, ahead, clockOfExams)
    if (isQuiet) return { ...quiet, exam: { untilMs }, fromMs: nowMs }
    return { ...quiet, fromMs: Math.min(quiet.fromMs ?? untilMs, untilMs) }
  }

  function quietHoursAt(
    buffer: ClaimBuffer,
    person: string,
    { wishes }: Pick<Contact, 'wishes'>,
    nowMs: number,
    ahead: AheadBounds,
  ): OwnQuiet {
    const policy = policies.get(buffer)
    if (!policy) return neverQuiet
    const applied = terms.get(buffer)?.isSentNow ? { ...policy, fleet: undefined } : policy
    const span = quietSpanOf(applied, wishes?.quiet)
    if (!span) return neverQuiet
    const { isQuiet, untilMs } = inJobTime(nowMs, ahead, (redisMs) => hours.at(redisMs, span, zones.get(person)))
    if (!isQuiet) return { fact: undefined, fromMs: untilMs }
    const zone = hours.zoneOf(zones.get(person))
    const jitterMs = quietJitterMs(memberOf(buffer.claim.ref), zone, policy.jitterMinutes)
    return { fact: { untilMs, jitterMs }, fromMs: nowMs }
  }

  return {
    get redisAheadMs() {
      return ahead?.leastMs
    },
    async read(claims: readonly People[], people: readonly string[]): Promise<void> {
      if (claims.length === 0) return
      await Promise.all([
        readTime(),
        readZones(people),
        ...claims.map(async ({ buffer }) => terms.set(buffer, await readTerms(redis, buffer))),
      ])
    },
    readExams: readJobExams,
    hasExam: (buffer: ClaimBuffer, person: string) => exams?.concern(buffer, person) ?? false,
    termsOf(buffer: ClaimBuffer): Pick<Policy, 'expiresMs' | 'cancelsHeld'> | undefined {
      const known = terms.get(buffer)
      if (!known || !ahead) return undefined
      return { expiresMs: known.expiresMs - ahead.leastMs, cancelsHeld: known.cancelsHeld }
    },
    isSentNow: (buffer: ClaimBuffer) => terms.get(buffer)?.isSentNow ?? false,
    sizeOf: (buffer: ClaimBuffer) => terms.get(buffer)?.size,
    at,
  }
}

/** By one bound it may be quiet and by the other not: then it is, so that nobody is disturbed. @param at by Redis's clock. @returns by the job's */
function inJobTime(nowMs: number, { leastMs, mostMs }: AheadBounds, at: (redisMs: number) => Quiet): Quiet {
  const [least, most] = [at(nowMs + leastMs), at(nowMs + mostMs)]
  const quiet = [least, most].find(({ isQuiet }) => isQuiet)
  return quiet
    ? { isQuiet: true, untilMs: quiet.untilMs - leastMs }
    : { isQuiet: false, untilMs: most.untilMs - mostMs }
}
