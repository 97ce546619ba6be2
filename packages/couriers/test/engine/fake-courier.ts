/** A channel without a provider: answers as the test says, and notes whom it was asked to send to. */
import { systemClock } from '@courier-fleet/process'
import type { Courier, Edit, Item, Outcome } from '../../src/courier.ts'
import { createReadiness, type OwnReadiness } from '../../src/readiness.ts'

export interface FakeCourier extends Courier {
  readonly readiness: OwnReadiness
  /** every item handed over, in order */
  readonly handed: Item[]
  /** what it was asked to edit, in order */
  readonly edited: Edit[]
  /** what it was asked to delete, in order */
  readonly recalled: Edit[]
  /** idempotency keys the provider has taken, with their addresses */
  readonly accepted: Map<string, Item>
}

export interface FakeSettings {
  readonly channel?: string
  readonly batchSize?: number
  readonly concurrency?: number
  readonly window?: number
  readonly keySpan?: number
  readonly foldsResends?: boolean
  readonly rate?: Courier['rate']
  /** what becomes of one item; `sent` when absent */
  answer?(item: Item): Outcome | Promise<Outcome>
  /** what becomes of one edit; absent: the channel cannot edit */
  answerEdit?(edit: Edit): Outcome | Promise<Outcome>
  /** what becomes of one that is to be deleted; absent: the channel cannot delete */
  answerRecall?(message: Edit): Outcome | Promise<Outcome>
}

export function fakeCourier(settings: FakeSettings = {}): FakeCourier {
  const handed: Item[] = []
  const edited: Edit[] = []
  const accepted = new Map<string, Item>()
  const recalled: Edit[] = []
  const { answerEdit, answerRecall } = settings
  const readiness = createReadiness(systemClock)
  readiness.ready()
  return {
    channel: settings.channel ?? 'vk',
    account: 'fake',
    target: 'sandbox',
    batchSize: settings.batchSize ?? 10,
    concurrency: settings.concurrency ?? 2,
    ...(settings.window ? { window: settings.window } : {}),
    keySpan: settings.keySpan ?? 1,
    foldsResends: settings.foldsResends ?? true,
    ...(settings.rate ? { rate: settings.rate } : {}),
    readiness,
    handed,
    edited,
    recalled,
    accepted,
    async start() {},
    async send(items) {
      const notReady = readiness.notReady()
      if (notReady) return items.map(() => ({ kind: 'not-sent', why: notReady.why }))
      handed.push(...items)
      return Promise.all(
        items.map(async (item): Promise<Outcome> => {
          const outcome = (await settings.answer?.(item)) ?? { kind: 'sent', providerId: `id-${item.address}` }
          if (outcome.kind === 'sent') accepted.set(`${item.key} ${item.address}`, item)
          return outcome
        }),
      )
    },
    ...(answerEdit
      ? {
          async edit(edits: readonly Edit[]) {
            edited.push(...edits)
            return Promise.all(edits.map((edit) => answerEdit(edit)))
          },
        }
      : {}),
    ...(answerRecall
      ? {
          async recall(messages: readonly Edit[]) {
            recalled.push(...messages)
            return Promise.all(messages.map((message) => answerRecall(message)))
          },
        }
      : {}),
    async stop() {},
  }
}
