/** A message while it is being accepted, and what accepting needs. */
import type { HistoryRef, MessageBody, MessageFile, PersonalText, Plan, SenderLine } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import {
  type Created,
  type Events,
  type HangsOn,
  type Histories,
  type LiveSettings,
  type PackedAudience,
  packAudience,
  type Redis,
  type Templates,
} from '@courier-fleet/store'
import type { WebhookSecrets } from '@courier-fleet/webhooks'
import type { Audit } from '../access/audit.ts'
import type { Files } from '../files/files.ts'
import type { Metrics } from '../fleet/metrics.ts'
import { digestOf } from '../http/canonical-json.ts'
import type { Allowances } from '../limits/allowances.ts'
import type { BudgetViews } from '../limits/budget-views.ts'
import type { Quota } from '../limits/quota.ts'
import type { RedisRoom } from '../limits/redis-room.ts'
import type { Forecasts } from '../plan/forecast.ts'
import type { Webhooks } from '../subscriptions/webhooks.ts'
import type { ReadAddressees } from './addressees.ts'
import type { Addressees } from './named-addressees.ts'
import type { SameAgain } from './same-again.ts'
import type { SenderLines } from './sender-lines.ts'

export interface Offer {
  readonly ref: HistoryRef
  /** by how many shards it was placed, where a repeated call must find it; absent of one that is new, was issued or lies with its event */
  readonly laidBy?: number
  /** true when the key must have been issued before */
  readonly issued: boolean
  /** true when the key can have been used before; a new key need not be looked up */
  readonly repeatable: boolean
  /** `<person>:<thing>`: nothing is accepted while there is another of this sender about it */
  readonly reminder?: string
  /** its id follows from what it is about alone: its sender has named no key, and is told of none */
  readonly isOnlyAbout?: boolean
  readonly body: MessageBody
}

/** Not created is a repeat: nothing else is known of that here. */
export type Accepted = {
  /** the offer's own, or that of the reminder there is already */
  readonly ref: HistoryRef
  /** what the sender may still send today, where there is a limit */
  readonly quotaLeft?: number | undefined
} & ((Created & Pick<Draft, 'audience' | 'expiresMs' | 'plan'>) | { readonly created: false })

/** A message on its way; it has an answer as soon as nothing more is to be done about it. */
export interface Draft {
  /** from a template, once that is read, with its text; of a type with steps with these */
  offer: Offer
  /** the type whose steps it has */
  stepsOf: string | undefined
  /** of the body as it was sent */
  readonly digest: string
  written: PersonalText
  event: HangsOn | undefined
  dueMs: number
  expiresMs: number
  addressees: Addressees | undefined
  audience: PackedAudience
  senderLine: SenderLine | undefined
  files: readonly MessageFile[] | undefined
  plan: Plan | undefined
  quotaLeft: number | undefined
  answer: Accepted | Error | undefined
}

export interface AcceptDeps {
  readonly redis: Redis
  readonly shards: number
  readonly histories: Histories
  readonly events: Pick<Events, 'refOf' | 'find'>
  readonly templates: Pick<Templates, 'newest' | 'version'>
  readonly directory: Directory
  readonly quota: Quota
  readonly budgetViews: BudgetViews
  readonly allowances: Allowances
  readonly redisRoom: RedisRoom
  readonly files: Pick<Files, 'of' | 'keep'>
  readonly senderLines: SenderLines
  readonly addressees: ReadAddressees
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly forecasts: Forecasts
  readonly sameAgain: SameAgain
  readonly webhooks: Webhooks
  readonly webhookSecrets: WebhookSecrets
  readonly metrics: Metrics
  readonly audit: Audit
  readonly log: Log
}

const nobody = packAudience([])
const noText: PersonalText = { text: '' }

/** Of which nothing is known but what was sent. */
export const newDraft = (offer: Offer): Draft => ({
  offer,
  stepsOf: undefined,
  digest: digestOf(offer.body),
  written: noText,
  event: undefined,
  dueMs: 0,
  expiresMs: 0,
  addressees: undefined,
  audience: nobody,
  senderLine: undefined,
  files: undefined,
  plan: undefined,
  quotaLeft: undefined,
  answer: undefined,
})

/** What is done for one message, by its place among all: a promise only where something has to be waited for, so that many plain ones cost none. */
export type Step = (draft: Draft, at: number) => unknown

/** Takes one step after the other of each message that has no answer yet; one that fails has its error for an answer. */
export async function stepThrough(drafts: readonly Draft[], ...steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const waiting = takeStep(drafts, step)
    if (waiting.length > 0) await Promise.all(waiting)
  }
}

const nothing: readonly Promise<void>[] = []

function takeStep(drafts: readonly Draft[], step: Step): readonly Promise<void>[] {
  let waiting: Promise<void>[] | undefined
  for (const [at, draft] of drafts.entries()) {
    if (draft.answer !== undefined) continue
    try {
      const done = step(draft, at)
      if (!(done instanceof Promise)) continue
      waiting ??= []
      waiting.push(settled(draft, done))
    } catch (error) {
      draft.answer = error as Error
    }
  }
  return waiting ?? nothing
}

/** What fails is the answer to this message. */
export const settled = (draft: Draft, step: Promise<void>): Promise<void> =>
  step.catch((error: Error) => {
    draft.answer = error
  })
