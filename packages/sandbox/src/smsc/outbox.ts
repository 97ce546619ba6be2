/**
 * What the centre has for its clients: receipts and incoming messages. Each goes to one bind that may receive, is kept while
 * there is none, and is offered again until somebody takes it.
 */
import type { PduFields } from './smpp.ts'

export interface Receiver {
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
}

/** Unanswered deliveries at once on one bind. */
const window = 50

export function createOutbox({ retryMs }: { retryMs: number }): Outbox {
  const waiting: Delivery[] = []
  const unanswered = new Map<Receiver, number>()
  const retries = new Set<NodeJS.Timeout>()

  const hasRoom = (receiver: Receiver) => (unanswered.get(receiver) ?? window) < window

  const pick = (preferred: Receiver | undefined): Receiver | undefined => {
    if (preferred && hasRoom(preferred)) return preferred
    let least: Receiver | undefined
    for (const [receiver, count] of unanswered)
      if (count < window && (!least || count < (unanswered.get(least) ?? 0))) least = receiver
    return least
  }

  const pump = () => {
    for (let delivery = waiting[0]; delivery; delivery = waiting[0]) {
      const receiver = pick(delivery.preferred)
      if (!receiver) return
      waiting.shift()
      hand(delivery, receiver)
    }
  }

  const hand = (delivery: Delivery, receiver: Receiver) => {
    unanswered.set(receiver, (unanswered.get(receiver) ?? 0) + 1)
    receiver.deliver(delivery.fields, (status) => {
      const count = unanswered.get(receiver)
      if (count !== undefined) unanswered.set(receiver, count - 1)
      if (status === undefined) waiting.unshift(delivery)
      else if (status !== 0) retryLater(delivery)
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
