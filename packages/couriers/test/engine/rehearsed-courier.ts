/** A channel without a provider: answers as the test says, and keeps book of whom it was asked to send to. */
import type { Courier, Item, Outcome } from '../../src/courier.ts'

export interface RehearsedCourier extends Courier {
  /** every item handed over, in order */
  readonly handed: Item[]
  /** idempotency keys the provider has taken, with their addresses */
  readonly accepted: Map<string, Item>
}

export interface Rehearsal {
  readonly channel?: string
  readonly batchSize?: number
  readonly concurrency?: number
  readonly window?: number
  readonly keySpan?: number
  readonly foldsResends?: boolean
  readonly rate?: Courier['rate']
  /** what becomes of one item; `sent` when absent */
  answer?(item: Item): Outcome | Promise<Outcome>
}

export function rehearsedCourier(rehearsal: Rehearsal = {}): RehearsedCourier {
  const handed: Item[] = []
  const accepted = new Map<string, Item>()
  return {
    channel: rehearsal.channel ?? 'vk',
    account: 'rehearsed',
    target: 'sandbox',
    batchSize: rehearsal.batchSize ?? 10,
    concurrency: rehearsal.concurrency ?? 2,
    ...(rehearsal.window ? { window: rehearsal.window } : {}),
    keySpan: rehearsal.keySpan ?? 1,
    foldsResends: rehearsal.foldsResends ?? true,
    ...(rehearsal.rate ? { rate: rehearsal.rate } : {}),
    handed,
    accepted,
    async start() {},
    async send(items) {
      handed.push(...items)
      return Promise.all(
        items.map(async (item): Promise<Outcome> => {
          const outcome = (await rehearsal.answer?.(item)) ?? { kind: 'sent', providerId: `id-${item.address}` }
          if (outcome.kind === 'sent') accepted.set(`${item.key} ${item.address}`, item)
          return outcome
        }),
      )
    },
    async stop() {},
  }
}
