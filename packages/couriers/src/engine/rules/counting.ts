/**
 * The rules that count, in one send job: after all else is decided and before anybody is marked. Whoever may be sent to is counted in the
 * same step; what is in somebody's way is looked at, for it may never have reached them. Of a message that no such rule counts nothing
 * is asked.
 */
import { type HistoryRef, historyKeyOf, receiptBytes } from '@courier-fleet/api-types'
import { bitOfChannel } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import { type Clock, grouped } from '@courier-fleet/process'
import {
  type CalendarDay,
  type CountPolicy,
  createCalendarClock,
  decisionOn,
  needsDay,
  textHashOf,
} from '@courier-fleet/rules'
import { evidenceOfLimit, keys, type LiveSettings, type Redis, redisNow } from '@courier-fleet/store'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import type { Held, Recipient } from '../jobs/recipients.ts'
import { isCounted, readPolicies, readWaitingTerms, type WaitingTerms } from './counted-messages.ts'
import { bindDiaryScripts, type Counting, type DiaryScripts } from './diary-scripts.ts'
import { causeOf, isFailed, limitOf, looksAgainMs, type Refused, roomMs, type Standings } from './refusals.ts'
import { standingsOf } from './standing-entries.ts'

export interface CountingDeps {
  readonly redis: Redis
  readonly courier: { readonly channel: string }
  readonly directory: Pick<Directory, 'findPeople'>
  readonly settings: Pick<LiveSettings, 'current'>
  /** of people whose zone is not known */
  readonly fleetZone: string
  /** of the job */
  readonly clock: Clock
}

/** Who of a send job may be sent to, and who waits. Who is refused is settled in their buffers. */
export interface Counted {
  readonly allowed: readonly Recipient[]
  readonly held: readonly Held[]
  /** Redis's clock less the job's; undefined where nothing was read */
  readonly redisAheadMs: number | undefined
  /** Whether somebody of this claim was counted. */
  isSomebodyCounted(buffer: ClaimBuffer): boolean
  /** people of the whole message; undefined where nothing was read */
  sizeOf(buffer: ClaimBuffer): number | undefined
  /** By receipts as they stand: who certainly was not sent it is counted no more. May be called again. */
  giveBack(standing: ReadonlyMap<ClaimBuffer, Buffer>): Promise<void>
}

/** How far Redis's clock is ahead of the job's, ms; undefined where nobody has asked. */
export type Ahead = Promise<number> | undefined

/** Asks for it as a job begins in which somebody may be counted: the answer comes while recipients are read, and nobody waits for it. */
export function beginCounting(buffers: readonly ClaimBuffer[], deps: CountingDeps): Ahead {
  const settings = deps.settings.current()
  if (!buffers.some((buffer) => isCounted(buffer, settings))) return undefined
  const ahead = readAhead(deps)
  ahead.catch(() => {}) // thrown where it is awaited
  return ahead
}

async function readAhead({ redis, clock }: CountingDeps): Promise<number> {
  return (await redisNow(redis, keys.fleet)) - clock.now()
}

/** Entries that have failed are forgotten, and whom they stood in the way of is asked about anew, so often at most. */
const maxRounds = 3
const dayMs = 86_400_000
/** `suppressed`, of whoever was allowed: a recheck said so after that */
const notSent: readonly number[] = (['failed', 'cancelled', 'expired', 'suppressed'] as const).map(
  (state) => receiptBytes[state],
)

/** @param ahead of beginCounting(); where a rule came after it, it is read here */
export async function countRecipients(
  chosen: readonly Recipient[],
  buffers: readonly ClaimBuffer[],
  deps: CountingDeps,
  ahead: Ahead,
): Promise<Counted> {
  const policies = await readPolicies(deps.redis, buffers, deps.settings.current())
  const counting = new JobCounting(policies, deps, ahead)
  const isAll = policies.size === buffers.length
  if (policies.size > 0) await counting.count(isAll ? chosen : chosen.filter(({ buffer }) => policies.has(buffer)))
  const { stopped, held, redisAheadMs } = counting
  return {
    allowed: stopped.size === 0 ? chosen : chosen.filter((each) => !stopped.has(each)),
    held,
    redisAheadMs,
    isSomebodyCounted: (buffer) => counting.isSomebodyCounted(buffer),
    sizeOf: ({ claim }) => counting.terms.get(claim.ref)?.size,
    giveBack: (standing) => counting.giveBack(standing),
  }
}

/** The day of a zone is the same for all send jobs. */
const calendar = createCalendarClock()

class JobCounting {
  /** refused, or held */
  readonly stopped = new Set<Recipient>()
  readonly held: Held[] = []
  readonly terms = new Map<HistoryRef, WaitingTerms>()
  redisAheadMs: number | undefined
  readonly #policies: ReadonlyMap<ClaimBuffer, CountPolicy>
  readonly #deps: CountingDeps
  readonly #ahead: Ahead
  readonly #diary: DiaryScripts
  readonly #zones = new Map<string, string>()
  /** whoever was asked about: who is not stopped is counted */
  #asked: readonly Recipient[] = []
  /** when it was counted, by Redis's clock */
  #countedAtMs = 0

  constructor(policies: ReadonlyMap<ClaimBuffer, CountPolicy>, deps: CountingDeps, ahead: Ahead) {
    this.#policies = policies
    this.#deps = deps
    this.#ahead = ahead
    this.#diary = bindDiaryScripts(deps.redis)
  }

  /** Whoever is marked was allowed before. */
  async count(people: readonly Recipient[]): Promise<void> {
    const attempted = people.filter(({ receipt }) => receipt === 'attempting')
    const fresh = attempted.length === 0 ? people : people.filter(({ receipt }) => receipt === 'pending')
    const [aheadMs] = await Promise.all([this.#ahead ?? readAhead(this.#deps), this.#readZones(fresh)])
    this.redisAheadMs = aheadMs
    this.#countedAtMs = this.#redisNowMs()
    await Promise.all([this.#allow(fresh), this.#contest(attempted)])
    this.#asked = fresh
  }

  isSomebodyCounted(buffer: ClaimBuffer): boolean {
    return this.#asked.some((each) => each.buffer === buffer && !this.stopped.has(each))
  }

  async giveBack(standing: ReadonlyMap<ClaimBuffer, Buffer>): Promise<void> {
    // nearly always nobody: their bytes are looked through at once
    if (![...standing.values()].some((bytes) => notSent.some((byte) => bytes.includes(byte)))) return
    const missed = this.#asked.filter((recipient) => {
      const { buffer, ordinal, mayHaveIt } = recipient
      const byte = standing.get(buffer)?.[ordinal - buffer.claim.from]
      return !mayHaveIt && byte !== undefined && notSent.includes(byte) && !this.stopped.has(recipient)
    })
    const channelBit = bitOfChannel(this.#deps.courier.channel)
    await byMessage(missed, ({ ref }, own) => {
      const people = own.map(({ person }) => person)
      return this.#diary.giveBack({ ref, channelBit }, people, this.#countedAtMs, this.#redisNowMs())
    })
  }

  #redisNowMs(): number {
    return Math.round(this.#deps.clock.now() + (this.redisAheadMs ?? 0))
  }

  /** Only of those for whom a rule is about their own day. */
  async #readZones(people: readonly Recipient[]): Promise<void> {
    const asked = people.filter(({ buffer }) => needsDay(this.#policyOf(buffer).rules)).map(({ person }) => person)
    if (asked.length === 0) return
    const found = await this.#deps.directory.findPeople(asked)
    for (const [index, person] of asked.entries()) {
      const zone = found[index]?.timeZone
      if (zone !== undefined) this.#zones.set(person, zone)
    }
  }

  #policyOf(buffer: ClaimBuffer): CountPolicy {
    return this.#policies.get(buffer) as CountPolicy
  }

  #countingOf({ buffer, said = buffer.message.said }: Recipient): Counting {
    const channelBit = bitOfChannel(this.#deps.courier.channel)
    return { ref: buffer.claim.ref, policy: this.#policyOf(buffer), channelBit, textHash: textHashOf(said) }
  }

  /** Of people of one message; none where no rule is about days. */
  #daysOf(people: readonly Recipient[]): readonly CalendarDay[] {
    const [first] = people
    if (!first || !needsDay(this.#policyOf(first.buffer).rules)) return []
    return people.map(({ person }) =>
      calendar.dayAt(this.#countedAtMs, this.#zones.get(person) ?? this.#deps.fleetZone),
    )
  }

  async #allow(people: readonly Recipient[]): Promise<void> {
    let asked = people
    for (let round = 1; asked.length > 0; round += 1) {
      const refused = await this.#ask(asked)
      const standings = await standingsOf(
        this.#deps.redis,
        refused.flatMap(({ refusal }) => refusal.inTheWay),
      )
      const failedOf = ({ refusal }: Refused) => refusal.inTheWay.filter(isFailed(standings))
      const again = new Set(round < maxRounds ? refused.filter((each) => failedOf(each).length > 0) : [])
      await this.#diary.forget(
        [...again].flatMap((each) => failedOf(each).map((entry) => ({ person: each.recipient.person, entry }))),
      )
      const rest = refused.filter((each) => !again.has(each))
      await this.#decide(rest, standings)
      asked = [...again].map(({ recipient }) => recipient)
    }
  }

  /** One call for each bucket of each message, and of each text where it has several. @returns whom a rule forbids it */
  async #ask(people: readonly Recipient[]): Promise<Refused[]> {
    const refused: Refused[] = []
    const allow = async (own: readonly Recipient[]) => {
      const counting = this.#countingOf(own[0] as Recipient)
      const answers = await this.#diary.allow(counting, own, this.#daysOf(own), this.#countedAtMs)
      answers.forEach((refusal, index) => {
        if (refusal) refused.push({ recipient: own[index] as Recipient, refusal })
      })
    }
    const textOf = ({ buffer, said }: Recipient) => (buffer.message.contentFor ? said?.text : '')
    await byMessage(people, (_claim, own) => Promise.all([...grouped(own, textOf).values()].map(allow)))
    return refused
  }

  /** They wait for room, or for what is on its way; else they are told. */
  async #decide(refused: readonly Refused[], standings: Standings): Promise<void> {
    const { redis, clock } = this.#deps
    const waiting = refused.filter(({ refusal }) => refusal.rule.over === 'wait')
    const refs = new Set(waiting.map(({ recipient }) => recipient.buffer.claim.ref))
    for (const [ref, terms] of await readWaitingTerms(redis, refs)) this.terms.set(ref, terms)
    for (const { recipient, refusal } of refused) {
      this.stopped.add(recipient)
      const { buffer, ordinal } = recipient
      const { claim, message } = buffer
      const decision = decisionOn(refusal, this.terms.get(claim.ref)?.expiresMs)
      const untilMs = Math.min(roomMs(decision, this.#countedAtMs), looksAgainMs(refusal, standings, this.#countedAtMs))
      if (Number.isFinite(untilMs)) {
        const waitMs = untilMs - this.#countedAtMs
        this.held.push({ recipient, cause: causeOf(refusal), untilMs: clock.now() + waitMs })
      } else {
        const limit = limitOf(refusal, standings, message.rules?.type, this.#policyOf(buffer).version)
        const { reason } = refusal.rule
        buffer.set({ ordinal, byte: receiptBytes.suppressed, reason, evidence: evidenceOfLimit(limit) })
      }
    }
  }

  async #contest(people: readonly Recipient[]): Promise<void> {
    await byMessage(people, ({ ref }, own) =>
      this.#diary.contest(
        { ref },
        own.map(({ person }) => person),
        this.#countedAtMs - dayMs,
        this.#countedAtMs,
      ),
    )
  }
}

/** Calls it for those of each message, all at once. */
async function byMessage(
  people: readonly Recipient[],
  action: (claim: ClaimBuffer['claim'], own: readonly Recipient[]) => Promise<unknown>,
): Promise<void> {
  const messages = new Map<string, Recipient[]>()
  for (const [{ claim }, own] of grouped(people, ({ buffer }) => buffer)) {
    const message = historyKeyOf(claim.ref)
    messages.set(message, messages.get(message)?.concat(own) ?? own)
  }
  await Promise.all([...messages.values()].map((own) => action((own[0] as Recipient).buffer.claim, own)))
}
