/**
 * Budgets, in one send job: what the attempts of a round are to cost is reserved before anybody is marked, of the sender's day and then of
 * the fleet's month, in the order of the audience; for whom one of them is not enough is refused. Once the receipts are written what was
 * taken stays spent, and the rest is given back. See docs/decisions/0075-budgets.md. Where no budget holds nothing is asked.
 *
 *   (none) ── reserve ──► reserved ── mark, send, record ──► settle: stays spent, or is given back
 *
 * A crash leaves a reservation, under the name of its claim: whoever takes the claim over finds it. Of claims that are over it is mended by
 * whoever it would refuse: budget-mending.ts.
 */
import { type Budget, budgetsFor, countsUnder, historyKeyOf, limitOf, receiptBytes } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { grouped } from '@courier-fleet/process'
import {
  budgetKeptS,
  budgetKey,
  type Durability,
  keys,
  type LiveSettings,
  type Redis,
  redisNow,
} from '@courier-fleet/store'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import type { ReceiptWriter } from '../jobs/receipt-writer.ts'
import type { Recipient } from '../jobs/recipients.ts'
import { mendBudget } from './budget-mending.ts'
import { type Reservation, reserveBudget, settleBudget, standsAs } from './budget-scripts.ts'

export interface BudgetsDeps {
  readonly redis: Redis
  readonly courier: { readonly channel: string }
  readonly settings: Pick<LiveSettings, 'current'>
  readonly fleetZone: string
  readonly durability: Pick<Durability, 'begin'>
  readonly writer: Pick<ReceiptWriter, 'retryUntilGone'>
}

export interface Budgets {
  /** Who is refused is settled in their buffer. @returns those for whom there is enough, or whom no budget holds for */
  reserve(people: readonly Recipient[]): Promise<readonly Recipient[]>
  isReservedFor(buffer: ClaimBuffer): boolean
  /** The provider has some of what these were sent: it stays spent, whatever becomes of them. */
  keep(people: readonly Recipient[]): Promise<void>
  /** By receipts as they stand; of a claim that was lost its successor does it. May be called again. */
  settle(standing: ReadonlyMap<ClaimBuffer, Buffer>): Promise<void>
}

/** What is given back may be reserved for others: whoever was refused is asked for anew, so often at most. */
const maxRounds = 3
const reasonOf = { day: 'over-day-budget', month: 'over-month-budget' } as const
const bytesOf = (...states: (keyof typeof receiptBytes)[]): readonly number[] =>
  states.map((state) => receiptBytes[state])
const nothingTaken: readonly number[] = [
  ...bytesOf('pending', 'failed', 'cancelled', 'expired', 'suppressed', 'no-contact'),
  'w'.charCodeAt(0),
]
const stillOpen: readonly number[] = [...bytesOf('attempting'), 'b'.charCodeAt(0)]

/** @param deps of a send job */
export function createBudgets(deps: BudgetsDeps): Budgets {
  return findChannel(deps.courier.channel)?.text.kind === 'sms-parts' ? new JobBudgets(deps) : none
}

const none: Budgets = {
  reserve: async (people) => people,
  isReservedFor: () => false,
  keep: async () => {},
  settle: async () => {},
}

interface Wanted {
  readonly recipient: Recipient
  readonly reservation: Reservation
}

class JobBudgets implements Budgets {
  readonly #deps: BudgetsDeps
  /** with a reservation */
  readonly #reserved = new Set<Recipient>()

  constructor(deps: BudgetsDeps) {
    this.#deps = deps
  }

  async reserve(people: readonly Recipient[]): Promise<readonly Recipient[]> {
    const { redis, settings, fleetZone, writer } = this.#deps
    const { budgets } = settings.current()
    // of whoever was marked before it is reserved, or somebody has marked them when there was no budget
    const asked = people.filter((each) => each.receipt === 'pending' && !each.reservations)
    const limitsOf = new Map(
      [...new Set(asked.map(({ buffer }) => buffer))].map(({ message }) => [
        message,
        budgetsFor(budgets, { role: message.role, type: message.rules?.type }),
      ]),
    )
    if (![...limitsOf.values()].some((all) => all.length > 0)) return people
    const nowMs = await writer.retryUntilGone(() => redisNow(redis, keys.fleet))
    const refused = new Set<Recipient>()
    for (const of of ['day', 'month'] as const) {
      const rest = asked.filter((each) => !refused.has(each))
      const own = grouped(rest, ({ buffer }) => {
        const budget = limitsOf.get(buffer.message)?.find((each) => each.of === of)
        return budget && budgetKey(budget, buffer.claim.ref.sender, { nowMs, timeZone: fleetZone })
      })
      for (const [key, some] of own) {
        const budget = limitsOf.get((some[0] as Recipient).buffer.message)?.find((each) => each.of === of)
        if (key === undefined || !budget) continue
        for (const each of await this.#reserveOf(budget, key, some)) refused.add(each)
      }
    }
    await this.#end([...refused], () => true)
    return refused.size === 0 ? people : people.filter((each) => !refused.has(each))
  }

  isReservedFor(buffer: ClaimBuffer): boolean {
    return [...this.#reserved].some((each) => each.buffer === buffer)
  }

  async keep(people: readonly Recipient[]): Promise<void> {
    await this.#end(people, () => false)
  }

  async settle(standing: ReadonlyMap<ClaimBuffer, Buffer>): Promise<void> {
    const byteOf = ({ buffer, ordinal }: Recipient) => standing.get(buffer)?.[ordinal - buffer.claim.from]
    const over = [...this.#reserved].filter((each) => {
      const byte = byteOf(each)
      return byte !== undefined && !stillOpen.includes(byte)
    })
    await this.#end(over, (each) => !each.mayHaveIt && nothingTaken.includes(byteOf(each) as number))
  }

  /** Of one budget. @returns for whom it is not enough, or who have no price */
  async #reserveOf(budget: Budget, key: string, people: readonly Recipient[]): Promise<Recipient[]> {
    const { tariffs } = this.#deps.settings.current()
    const wanted: Wanted[] = []
    const refused: Recipient[] = []
    for (const recipient of people) {
      const { text, address } = recipient
      const cost = countsUnder(budget.limit, { text, number: address, tariffs })
      if (cost === undefined) refused.push(recipient)
      else wanted.push({ recipient, reservation: reservationOf(recipient, key, cost) })
    }
    let asked = wanted
    for (let round = 1; asked.length > 0; round += 1) {
      const over = await this.#ask(budget, key, asked)
      const isMended = over.length > 0 && round < maxRounds && (await this.#mend(key))
      if (!isMended) refused.push(...over.map(({ recipient }) => recipient))
      asked = isMended ? over : []
    }
    for (const { buffer, ordinal } of refused)
      buffer.set({ ordinal, byte: receiptBytes.suppressed, reason: reasonOf[budget.of] })
    return refused
  }

  /** Nobody is marked before what they cost is where a fail-over does not lose it. @returns whom it is not enough for */
  async #ask({ of, limit }: Budget, budget: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
    const { redis, durability, writer } = this.#deps
    const terms = { budget, limit: limitOf(limit), keptS: budgetKeptS[of] }
    const answers = await writer.retryUntilGone(async () => {
      const confirm = durability.begin()
      const granted = await reserveBudget(
        redis,
        terms,
        wanted.map(({ reservation }) => reservation),
      )
      await confirm()
      return granted
    })
    for (const [index, { recipient, reservation }] of wanted.entries()) {
      if (!answers[index]) continue
      recipient.reservations = [...(recipient.reservations ?? []), reservation]
      this.#reserved.add(recipient)
    }
    return wanted.filter((_each, index) => !answers[index])
  }

  #mend(key: string): Promise<boolean> {
    const { redis, writer } = this.#deps
    return writer.retryUntilGone(() => mendBudget(redis, key))
  }

  /** Their reservations are over. */
  async #end(people: readonly Recipient[], isGivenBack: (recipient: Recipient) => boolean): Promise<void> {
    const { redis, writer } = this.#deps
    const all = people.flatMap((recipient) =>
      (recipient.reservations ?? []).map((reservation) => ({ reservation, isBack: isGivenBack(recipient) })),
    )
    for (const [budget, own] of grouped(all, ({ reservation }) => reservation.budget)) {
      const endings = own.map(({ reservation, isBack }) => {
        return { name: reservation.name, stands: standsAs(reservation), isGivenBack: isBack }
      })
      await writer.retryUntilGone(() => settleBudget(redis, budget, endings))
    }
    for (const recipient of people) {
      recipient.reservations = undefined
      this.#reserved.delete(recipient)
    }
  }
}

/** The same for whoever takes the claim over: message, leg, class, entry of the work stream, ordinal. */
function reservationOf({ buffer: { claim }, ordinal }: Recipient, budget: string, cost: number): Reservation {
  const { ref, leg, class: cls, entry, deliveries } = claim
  return { budget, name: `${historyKeyOf(ref)} ${leg} ${cls} ${entry} ${ordinal}`, cost, deliveries }
}
