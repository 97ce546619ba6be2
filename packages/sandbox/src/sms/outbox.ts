/**
 * What the centre has for its clients: reports and incoming messages. Each goes to one bind that may receive: a report to
 * the one that submitted, a message to one whose address range names the number it was written to; else to any whose range
 * says nothing against it, and not to one that has just refused it while there is another. It is kept while there is none, and offered
 * again until somebody takes it.
 */
import type { PduFields } from '@courier-fleet/smpp/protocol'

export interface Receiver {
  /** the numbers this bind has asked for; empty: it has not said */
  addressRange(): string
  /** Hands one deliver_sm over; calls back with the status, or undefined when the connection ended without an answer. */
  deliver(fields: PduFields, onAnswer: (status: number | undefined) => void): void
}

export interface Outbox {
  /** `preferred` (the bind that submitted) gets it when it is there and has room. */
  push(fields: PduFields, preferred?: Receiver): void
  attach(receiver: Receiver): void
  detach(receiver: Receiver): void
  stop(): void
}

interface Delivery {
  readonly fields: PduFields
  readonly preferred: Receiver | undefined
  readonly refusedBy?: Receiver
}

/** Unanswered deliveries at once on one bind. */
const window = 50

/** bits 5-2 of the esm_class: anything but 0 is a report of some kind */
const isMessage = ({ esm_class: esmClass = 0 }: PduFields) => (Number(esmClass) & 0x3c) === 0

export function createOutbox({ retryMs }: { retryMs: number }): Outbox {
  const waiting: Delivery[] = []
  const unanswered = new Map<Receiver, number>()
  const retries = new Set<NodeJS.Timeout>()

  const hasRoom = (receiver: Receiver) => (unanswered.get(receiver) ?? window) < window

  const pick = ({ fields, preferred, refusedBy }: Delivery): Receiver | undefined => {
    if (preferred && preferred !== refusedBy && hasRoom(preferred)) return preferred
    const number = String(fields.destination_addr ?? '')
    const rank = (receiver: Receiver) =>
      (receiver === refusedBy ? 0 : 4) + (isMessage(fields) && receiver.addressRange() === number ? 2 : 0)
    return [...unanswered.keys()]
      .filter((receiver) => hasRoom(receiver) && ['', number].includes(receiver.addressRange()))
      .sort((a, b) => rank(b) - rank(a) || (unanswered.get(a) ?? 0) - (unanswered.get(b) ?? 0))[0]
  }

  /** What no bind here may have does not keep the rest waiting. */
  const pump = () => {
    for (let i = 0; i < waiting.length && [...unanswered.keys()].some(hasRoom); ) {
      const delivery = waiting[i] as Delivery
      const receiver = pick(delivery)
      if (receiver) {
        waiting.splice(i, 1)
        hand(delivery, receiver)
      } else i += 1
    }
  }

  const hand = (delivery: Delivery, receiver: Receiver) => {
    unanswered.set(receiver, (unanswered.get(receiver) ?? 0) + 1)
    receiver.deliver(delivery.fields, (status) => {
      const count = unanswered.get(receiver)
      if (count !== undefined) unanswered.set(receiver, count - 1)
      if (status === undefined) waiting.unshift(delivery)
      else if (status !== 0) retryLater({ ...delivery, refusedBy: receiver })
      pump()
    })
  }

  const retryLater = (delivery: Delivery) => {
    const timer = setTimeout(() => {
      retries.delete(timer)
      waiting.push(delivery)
      pump()
    }, retryMs)
    retries.add(timer)
  }

  return {
    push(fields, preferred) {
      waiting.push({ fields, preferred })
      pump()
    },
    attach(receiver) {
      unanswered.set(receiver, 0)
      pump()
    },
    detach(receiver) {
      unanswered.delete(receiver)
    },
    stop() {
      for (const timer of retries) clearTimeout(timer)
      retries.clear()
      waiting.length = 0
      unanswered.clear()
    },
  }
}
