import { type Clock, sleep, steadyClock } from '@courier-fleet/process'
import { type Argument, bytesReply, defineScript, keys, listReply, numberReply, type Redis } from '@courier-fleet/store'
import type { Courier, Pacer } from './courier.ts'

/** 1 and a wait in ms, or 0 and when to ask again; of a slot, its name */
const reservedReply = (reply: unknown) => {
  const [reserved, waitMs, name] = listReply((part) => part)(reply)
  return {
    isReserved: numberReply(reserved) === 1,
    waitMs: numberReply(waitMs),
    name: name === undefined ? undefined : bytesReply(name),
  }
}
export const paceScript = defineScript('pace', {
  keys: ['pace', 'pause'],
  args: ['units', 'unitUs', 'aheadUs'],
  reply: reservedReply,
})
export const slotScript = defineScript('reserve-slot', {
  keys: ['slots', 'pause'],
  args: ['max', 'spanUs', 'gapUs', 'aheadUs'],
  reply: reservedReply,
})

/**
 * The rate is reserved this far ahead, and a pause that another process calls is heard so late: long enough to hide a round
 * trip, short enough that a stop strands little.
 */
const aheadMs = 100
/** Slots that were not used are made up for at so many times the rate. */
const catchUp = 2

type Rate = NonNullable<Courier['rate']>

export interface SharedPacer extends Pacer {
  /** Holds up every process of the account. A shorter pause never cuts a longer one. */
  pause(ms: number): Promise<void>
  /** ms the account is still paused for; 0 when it is not. What another process has called is known after 100 ms. */
  pausedForMs(): Promise<number>
  /** whether it is, as far as this process knows */
  isPaused(): boolean
}

export interface PacerDeps {
  readonly redis: Redis
  /** asked at the first use: the courier itself is made with the pacer in hand */
  readonly courier: () => Pick<Courier, 'channel' | 'account' | 'rate'>
  /** measures durations: one that nobody sets */
  readonly clock?: Clock
}

/** The rate and the pauses of one account, in Redis, obeyed by all its processes. */
export function createPacer(deps: PacerDeps): SharedPacer {
  return new AccountPacer(deps)
}

class AccountPacer implements SharedPacer {
  readonly #redis: Redis
  readonly #courier: PacerDeps['courier']
  readonly #clock: Clock
  /** what is known of the account's pause, by the clock */
  #pausedUntil = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  /** Slots that were taken late, for the process was held up: told with the next reservation, so that it costs no call. */
  #late: Argument[] = []

  constructor({ redis, courier, clock = steadyClock }: PacerDeps) {
    this.#redis = redis
    this.#courier = courier
    this.#clock = clock
  }

  async take(units: number, signal: AbortSignal): Promise<void> {
    for (let left = units; left > 0; ) {
      signal.throwIfAborted()
      await sleep(await this.pausedForMs(), signal)
      signal.throwIfAborted()
      left -= await this.#reserve(left, this.#courier().rate, signal)
    }
    signal.throwIfAborted()
  }

  async pause(ms: number): Promise<void> {
    const { pause } = this.#keys()
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms)
    if (ms > (await this.#redis.pttl(pause))) await this.#redis.set(pause, '', 'PX', Math.ceil(ms))
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
      pace: keys.pace(channel, account),
      slots: keys.slots(channel, account),
      pause: keys.pause(channel, account),
    }
  }

  async #ask(): Promise<void> {
    try {
      const pausedMs = await this.#redis.pttl(this.#keys().pause)
      this.#askedAt = this.#clock.now()
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#askedAt + pausedMs)
    } finally {
      this.#asking = undefined
    }
  }

  /** @returns for how many units; 0 when it is time to ask again */
  async #reserve(units: number, rate: Rate | undefined, signal: AbortSignal): Promise<number> {
    if (!rate || rate.units === Number.POSITIVE_INFINITY) return this.isPaused() ? 0 : units
    if (rate.slackMs === undefined) return (await this.#reserveEvenly(units, rate, signal)) ? units : 0
    return (await this.#reserveSlot(rate, signal)) ? 1 : 0
  }

  /** An even rate: units one after the other. */
  async #reserveEvenly(units: number, { units: max, perMs }: Rate, signal: AbortSignal): Promise<boolean> {
    const { pace, pause } = this.#keys()
    const { isReserved, waitMs } = await paceScript(
      this.#redis,
      { pace, pause },
      { units, unitUs: Math.round((perMs / max) * 1000), aheadUs: aheadMs * 1000 },
    )
    await sleep(waitMs, signal)
    return isReserved
  }

  /** Where the provider counts: a slot that was not taken in time is made up for, one that was taken late counts as such. */
  async #reserveSlot({ units: max, perMs, slackMs = 0 }: Rate, signal: AbortSignal): Promise<boolean> {
    const told = this.#late
    this.#late = []
    const asked = this.#clock.now()
    const { slots, pause } = this.#keys()
    const args = {
      max,
      spanUs: Math.round((perMs + slackMs) * 1000),
      gapUs: Math.round(((perMs / max) * 1000) / catchUp),
      aheadUs: aheadMs * 1000,
    }
    const { isReserved, waitMs, name } = await slotScript(this.#redis, { slots, pause }, args, told).catch((error) => {
      this.#late.push(...told)
      throw error
    })
    await sleep(waitMs, signal)
    const overdueMs = this.#clock.now() - asked - waitMs
    if (isReserved && name && overdueMs > slackMs / 2) this.#late.push(name, Math.round(overdueMs * 1000))
    return isReserved
  }
}
