import type { ChannelName } from '@courier-fleet/channels'

export type CentreName = 'first' | 'second'

/** What may go wrong on request. A fault applies to matching requests until `count` is used up or it is deleted. */
export interface Fault {
  readonly channel: ChannelName
  /**
   * - throttle: the provider's own "slow down"
   * - hang: taken off the wire, never answered, not accepted
   * - disconnect: the connection is cut instead of an answer, not accepted
   * - reply-lost: accepted, then the connection is cut instead of an answer
   * - reject: the error `code`, at every attempt
   * - refuse-once: the first attempt to send a message is answered as for a person who blocked the sender, every further
   *   attempt with the same message is accepted. It is the same message when the address and the idempotency key are the
   *   same (`random_id` of Telegram and VK); SMS has no key, there it is the same text, part by part.
   * - reports: delivery reports in the disorder `mode`
   * - refuse-file: a file that was uploaded is refused with the error `code`, or the provider's usual one
   * - upload-lost: the connection is cut when all of a file has come, and nothing is kept
   * - error-lost: VK answers a call of an execute that failed with `false`, and has no error of it in `execute_errors`
   * - reference-expired: what a client calls a file that was uploaded is not known any more
   * - down: an SMS centre lets nobody in, and has cut off whoever was, until the fault is deleted
   */
  readonly kind:
    | 'throttle'
    | 'hang'
    | 'disconnect'
    | 'reply-lost'
    | 'reject'
    | 'refuse-once'
    | 'reports'
    | 'refuse-file'
    | 'upload-lost'
    | 'error-lost'
    | 'reference-expired'
    | 'down'
  /** of SMS, whose centre it is; of both when absent */
  readonly centre?: CentreName
  /** only for these; for everyone when absent */
  readonly addresses?: readonly string[]
  /** how often it applies (refuse-once: to how many messages); without end when absent */
  readonly count?: number
  /** throttle: seconds to wait; reports late: delay in seconds */
  readonly seconds?: number
  /** reject, refuse-file: the provider's own error, e.g. USER_IS_BLOCKED, 901, 0x0000000B */
  readonly code?: string
  /** reports: which disorder */
  readonly mode?: 'early' | 'late' | 'twice' | 'other-id-format' | 'failed' | 'none'
}

interface ActiveFault {
  readonly fault: Fault
  left: number
}

/** The faults asked for, in the order they were added; the first that applies is used. */
export class Faults {
  #active: ActiveFault[] = []
  /** messages that a refuse-once has refused, by channel, address and key */
  readonly #refused = new Set<string>()

  add(fault: Fault): void {
    this.#active.push({ fault, left: fault.count ?? Number.POSITIVE_INFINITY })
  }

  clear(channel?: ChannelName): void {
    this.#active = channel ? this.#active.filter(({ fault }) => fault.channel !== channel) : []
    for (const message of this.#refused)
      if (!channel || message.startsWith(`${channel} `)) this.#refused.delete(message)
  }

  /** With what is left of their count. */
  list(): readonly Fault[] {
    return this.#active.map(({ fault, left }) => ({ ...fault, ...(Number.isFinite(left) ? { count: left } : {}) }))
  }

  /** The first fault of this kind that applies, one use of it spent; for a fault without addresses any address will do. */
  take(channel: ChannelName, kind: Fault['kind'], address?: string, centre?: CentreName): Fault | undefined {
    if (this.#active.length === 0) return undefined
    const isOf = ({ fault }: ActiveFault) => !fault.centre || fault.centre === centre
    const active = this.#active.find((each) => isOf(each) && applies(each.fault, channel, kind, address))
    if (!active) return undefined
    active.left -= 1
    if (active.left <= 0) this.#active.splice(this.#active.indexOf(active), 1)
    return active.fault
  }

  /** Whether a `refuse-once` refuses this attempt: the first with this key that it applies to. */
  refusesOnce(channel: ChannelName, address: string, key: string): boolean {
    if (this.#active.length === 0) return false
    const message = `${channel} ${address} ${key}`
    if (this.#refused.has(message) || !this.take(channel, 'refuse-once', address)) return false
    this.#refused.add(message)
    return true
  }
}

function applies(fault: Fault, channel: ChannelName, kind: Fault['kind'], address: string | undefined): boolean {
  if (fault.channel !== channel || fault.kind !== kind) return false
  return !fault.addresses || (address !== undefined && fault.addresses.includes(address))
}
