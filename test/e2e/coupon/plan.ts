/** Who wants to be reminded of which coupons, who changes their mind, and what goes out as one: decided by the seed alone. */
import { randomNumbers } from '@courier-fleet/testkit'

export interface CouponOptions {
  readonly people: number
  /** subscriptions that are made at first */
  readonly reminders: number
  readonly seed: number
  /** all are due within so long */
  readonly seconds: number
}

export interface Reminder {
  /** stands in its text, and in no other */
  readonly number: number
  /** index of the person */
  readonly person: number
  readonly coupon: number
  /** when it is due: ms after the beginning of the burst */
  readonly afterMs: number
}

export interface CouponPlan {
  readonly asked: readonly Reminder[]
  /** of those, what is cancelled before it is due */
  readonly cancelled: readonly Reminder[]
  /** of what was cancelled, what is asked for anew */
  readonly again: readonly Reminder[]
  /** what is to go out, the earliest first */
  readonly remaining: readonly Reminder[]
  /** of the type: what is due so long after the first goes out with it */
  readonly windowMs: number
  /** how many messages that comes to */
  readonly messages: number
}

const coupons = 200
const cancelledShare = 0.15
const againShare = 0.6
/** whom one message carries, as lua/wake.lua has it */
const maxCarried = 9

export function planCoupons({ people, reminders, seed, seconds }: CouponOptions): CouponPlan {
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const afterMs = Array.from({ length: Math.max(coupons, Math.ceil((4 * reminders) / people)) }, () =>
    below(seconds * 1000),
  )
  const wanted = Array.from({ length: people }, () => new Set<number>())
  const asked = Array.from({ length: reminders }, (_unused, number): Reminder => {
    // everybody has one first
    const person = number < people ? number : below(people)
    const own = wanted[person] as Set<number>
    let coupon = below(afterMs.length)
    while (own.has(coupon)) coupon = (coupon + 1) % afterMs.length
    own.add(coupon)
    return { number, person, coupon, afterMs: afterMs[coupon] as number }
  })
  const cancelled = asked.filter(() => random() < cancelledShare)
  const again = cancelled
    .filter(() => random() < againShare)
    .map((each, index) => ({ ...each, number: reminders + index }))
  const gone = new Set(cancelled)
  const remaining = [...asked.filter((each) => !gone.has(each)), ...again].sort(
    (one, other) => one.afterMs - other.afterMs,
  )
  const windowMs = Math.max(1, Math.round(seconds / 6)) * 1000
  return { asked, cancelled, again, remaining, windowMs, messages: countMessages(remaining, windowMs) }
}

/** @param remaining the earliest first */
function countMessages(remaining: readonly Reminder[], windowMs: number): number {
  const latest = new Map<number, { untilMs: number; carried: number }>()
  let messages = 0
  for (const { person, afterMs } of remaining) {
    const open = latest.get(person)
    if (open && afterMs <= open.untilMs && open.carried < maxCarried) {
      open.carried += 1
    } else {
      latest.set(person, { untilMs: afterMs + windowMs, carried: 0 })
      messages += 1
    }
  }
  return messages
}
