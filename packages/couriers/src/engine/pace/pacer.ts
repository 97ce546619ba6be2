import { classes, type MessageClass } from '@courier-fleet/api-types'
import { type Clock, sleep, steadyClock } from '@courier-fleet/process'
import { type Argument, defineScript, keys, listReply, numberReply, type Redis, textReply } from '@courier-fleet/store'
import type { Courier, Pacer } from '../../courier.ts'
import { type Answer, type Ask, createPlaceQueue, type Place, type PlaceQueue } from './place-queue.ts'
import type { Weights } from './turns.ts'

interface Reserved {
  readonly againMs: number
  readonly places: readonly Omit<Place, 'askedAt'>[]
}
/** when the others may ask again, and of each who has a place which it is, when it is theirs, and its name */
const reservedReply = (reply: unknown): Reserved => {
  const [againMs, ...parts] = listReply((part) => part)(reply)
  const places: Omit<Place, 'askedAt'>[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const [index, waitMs, name] = parts.slice(at, at + 3)
    places.push({ index: numberReply(index) - 1, waitMs: numberReply(waitMs), name: textReply(name) || undefined })
  }
  return { againMs: numberReply(againMs), places }
}
export const paceScript = defineScript('pace', {
  keys: ['turns', 'pause'],
  args: ['unitUs', 'aheadUs', 'weights', 'asks'],
  reply: reservedReply,
})
export const slotScript = defineScript('reserve-slot', {
  keys: ['slots', 'pause', 'turns'],
  args: ['max', 'spanUs', 'gapUs', 'aheadUs', 'weights', 'asks'],
  reply: reservedReply,
})
const pauseScript = defineScript('pause', { keys: ['pause'], args: ['ms'], reply: numberReply })

/**
 * The rate is reserved this far ahead, and a pause that another process calls is heard so late: long enough to hide a round
 * trip, short enough that a stop strands little.
 */
const aheadMs = 100
/** Slots that were not used are made up for at so many times the rate. */
const catchUp = 2

type Rate = NonNullable<Courier['rate']>

/** whether nothing is to be shared */
export const isEndless = (rate: Rate | undefined): rate is undefined =>
  rate?.units === undefined || rate.units === Number.POSITIVE_INFINITY

export interface SharedPacer extends Pacer {
  /** Holds up every process of the account. A shorter pause never cuts a longer one. */
  pause(ms: number, account?: string): Promise<void>
  /**
   * ms until an account that is in use is not paused any more; 0 when one is not. What another process has called is known after
   * 100 ms.
   */
  pausedForMs(): Promise<number>
  /** whether it is, as far as this process knows */
  isPaused(): boolean
}

export interface PacerDeps {
  readonly redis: Redis
  /** asked at the first use: the courier itself is made with the pacer in hand */
  readonly courier: () => Pick<Courier, 'channel' | 'account' | 'rate' | 'accounts'>
  /** of the settings as they are now */
  readonly weights: () => Weights
  /** measures durations: one that nobody sets */
  readonly clock?: Clock
}

/** The rate and the pauses of each account, in Redis, obeyed by all its processes. */
export function createPacer({ courier, ...deps }: PacerDeps): SharedPacer {
  const pacers = new Map<string, AccountPacer>()
  const pacerOf = (name = courier().account): AccountPacer => {
    const known = pacers.get(name)
    if (known) return known
    const accountOf = () => {
      const { channel, rate, accounts } = courier()
      return { channel, account: name, rate: accounts ? accounts.find(({ account }) => account === name)?.rate : rate }
    }
    const made = new AccountPacer({ ...deps, courier: accountOf })
    pacers.set(name, made)
    return made
  }
  const inUse = (): AccountPacer[] => {
    const { accounts } = courier()
    if (!accounts) return [pacerOf()]
    const some = accounts.filter((each) => each.isInUse())
    return (some.length > 0 ? some : accounts).map(({ account }) => pacerOf(account))
  }
  return {
    take: (units, cls, signal, account) => pacerOf(account).take(units, cls, signal),
    pause: (ms, account) => pacerOf(account).pause(ms),
    pausedForMs: async () => Math.min(...(await Promise.all(inUse().map((each) => each.pausedForMs())))),
    isPaused: () => inUse().every((each) => each.isPaused()),
  }
}

class AccountPacer implements SharedPacer {
  readonly #redis: Redis
  readonly #courier: () => Pick<Courier, 'channel' | 'account' | 'rate'>
  readonly #weights: PacerDeps['weights']
  readonly #clock: Clock
  readonly #queue: PlaceQueue
  /** what is known of the account's pause, by the clock */
  #pausedUntil = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  /** Slots that were taken late, for the process was held up: told with the next reservation, so that it costs no call. */
  #late: Argument[] = []

  constructor({ redis, courier, weights, clock = steadyClock }: PacerDeps) {
    this.#redis = redis
    this.#courier = courier
    this.#weights = weights
    this.#clock = clock
    this.#queue = createPlaceQueue((asks) => this.#reserve(asks))
  }

  async take(units: number, cls: MessageClass, signal: AbortSignal): Promise<void> {
    for (let isTaken = false; !isTaken; ) {
      signal.throwIfAborted()
      await sleep(await this.pausedForMs(), signal)
      signal.throwIfAborted()
      isTaken = isEndless(this.#courier().rate) ? !this.isPaused() : await this.#takePlaces(units, cls, signal)
    }
    signal.throwIfAborted()
  }

  async pause(ms: number): Promise<void> {
    const { pause } = this.#keys()
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms)
    await pauseScript(this.#redis, { pause }, { ms: Math.ceil(ms) })
  }

  async pausedForMs(): Promise<number> {
    if (this.#clock.now() - this.#askedAt > aheadMs) {
      this.#asking ??= this.#ask()
      await this.#asking
    }
    return Math.max(0, this.#pausedUntil - this.#clock.now())
  }

  isPaused(): boolean {
    return this.#pausedUntil > this.#clock.now()
  }

  #keys() {
    const { channel, account } = this.#courier()
    return {
      turns: keys.turns(channel, account),
      slots: keys.slots(channel, account),
      pause: keys.pause(channel, account),
    }
  }

  async #ask(): Promise<void> {
    try {
      const pausedMs = await pauseScript(this.#redis, { pause: this.#keys().pause }, { ms: 0 })
      this.#askedAt = this.#clock.now()
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#askedAt + pausedMs)
    } finally {
      this.#asking = undefined
    }
  }

  /** Where the provider counts, a call at a time. @returns true once they may go out */
  async #takePlaces(units: number, cls: MessageClass, signal: AbortSignal): Promise<boolean> {
    if (this.#courier().rate?.slackMs === undefined) await this.#takePlace({ units, cls }, signal)
    else for (let left = units; left > 0; left -= 1) await this.#takePlace({ units: 1, cls }, signal)
    return true
  }

  async #takePlace(ask: Ask, signal: AbortSignal): Promise<void> {
    const { waitMs, name, askedAt } = await this.#queue.take(ask, signal)
    await sleep(waitMs, signal)
    const { rate } = this.#courier()
    const overdueMs = this.#clock.now() - askedAt - waitMs
    if (name && overdueMs > (rate?.slackMs ?? 0) / 2) this.#late.push(name, Math.round(overdueMs * 1000))
  }

  async #reserve(asks: readonly Ask[]): Promise<Answer> {
    const { rate } = this.#courier()
    const askedAt = this.#clock.now()
    // it was set to none while they waited
    if (isEndless(rate) && this.isPaused()) return { againMs: this.#pausedUntil - askedAt, places: [] }
    if (isEndless(rate)) return { againMs: 0, places: asks.map((_ask, index) => ({ index, waitMs: 0, askedAt })) }
    const { againMs, places } = await (rate.slackMs === undefined
      ? this.#reserveUnits(asks, rate)
      : this.#reserveSlots(asks, rate))
    return { againMs, places: places.map((place) => ({ ...place, askedAt })) }
  }

  /** An even rate: units one after the other. */
  #reserveUnits(asks: readonly Ask[], { units, perMs }: Rate): Promise<Reserved> {
    const { turns, pause } = this.#keys()
    const unitUs = Math.round((perMs / units) * 1000)
    return paceScript(this.#redis, { turns, pause }, { unitUs, aheadUs: aheadMs * 1000, ...this.#turnsOf(asks) })
  }

  /** Where the provider counts: a slot that was not taken in time is made up for, one that was taken late counts as such. */
  async #reserveSlots(asks: readonly Ask[], { units, perMs, slackMs = 0 }: Rate): Promise<Reserved> {
    const told = this.#late
    this.#late = []
    // slots are whole: of 2.5 a second two in 800 ms, of 0.4 one in 2500
    const max = Math.max(1, Math.floor(units))
    const args = {
      max,
      spanUs: Math.round(((perMs * max) / units + slackMs) * 1000),
      gapUs: Math.round(((perMs / units) * 1000) / catchUp),
      aheadUs: aheadMs * 1000,
      ...this.#turnsOf(asks),
    }
    return slotScript(this.#redis, this.#keys(), args, told).catch((error) => {
      this.#late.push(...told)
      throw error
    })
  }

  #turnsOf(asks: readonly Ask[]) {
    const weights = this.#weights()
    return {
      weights: classes.map((cls) => weights[cls]).join(' '),
      asks: asks.map(({ cls, units }) => `${cls} ${units}`).join(' '),
    }
  }
}
