/**
 * How far somebody's receipt has come, as nine digits: three each for sending, receiving and answering, `000` for nothing yet. Every state
 * with every reason it may have is one number, and the other way round.
 */
import { z } from 'zod'
import { count, personId, smallCount } from './fields.ts'
import { type Reason, reasons, stateOfReason } from './reasons.ts'
import { type ReceiptState, receiptStates } from './receipt-state.ts'

/** Where somebody is, each in one: the way through is sent, delivered, read, confirmed. */
export const flowStages = [
  /** still to be sent */
  'pending',
  /** a rule said no: quiet hours, an exam, a switch, a duplicate, a cap */
  'stopped',
  /** it was not taken, they cannot be reached, or it did not arrive */
  'failed',
  'expired',
  'cancelled',
  /** nobody knows whether it was sent */
  'unknown',
  'sent',
  'delivered',
  'read',
  'confirmed',
] as const
export type FlowStage = (typeof flowStages)[number]

type Entry = readonly [flow: string, stage: FlowStage]

/** Of receipts without a reason, or with one that says nothing of their state. */
const ofStates = {
  pending: ['000000000', 'pending'],
  sent: ['200000000', 'sent'],
  delivered: ['200200000', 'delivered'],
  read: ['200201000', 'read'],
  // who confirms has read it
  confirmed: ['200201201', 'confirmed'],
  failed: ['311000000', 'failed'],
  suppressed: ['108000000', 'stopped'],
  'no-contact': ['332000000', 'failed'],
  expired: ['303000000', 'expired'],
  cancelled: ['304000000', 'cancelled'],
  unknown: ['300000000', 'unknown'],
} as const satisfies Record<ReceiptState, Entry>

const ofReasons = {
  quiet: ['100000000', 'stopped'],
  exam: ['110000000', 'stopped'],
  'opted-out': ['101000000', 'stopped'],
  'type-off': ['111000000', 'stopped'],
  'no-consent': ['121000000', 'stopped'],
  duplicate: ['102000000', 'stopped'],
  capped: ['103000000', 'stopped'],
  'too-soon': ['113000000', 'stopped'],
  'not-important': ['104000000', 'stopped'],
  'not-online': ['120000000', 'stopped'],
  'recheck-said-no': ['105000000', 'stopped'],
  'recheck-dropped': ['115000000', 'stopped'],
  'recheck-silent': ['125000000', 'stopped'],
  'over-ceiling': ['106000000', 'stopped'],
  'over-day-budget': ['116000000', 'stopped'],
  'over-month-budget': ['126000000', 'stopped'],
  'reached-elsewhere': ['107000000', 'stopped'],
  refused: ['301000000', 'failed'],
  invalid: ['302000000', 'failed'],
  'missing-field': ['331000000', 'failed'],
  blocked: ['312000000', 'failed'],
  deactivated: ['322000000', 'failed'],
  'not-taken': ['321000000', 'failed'],
  throttled: ['313000000', 'expired'],
  'no-answer': ['310000000', 'unknown'],
  'courier-ended': ['320000000', 'unknown'],
  'contact-removed': ['330000000', 'unknown'],
  'still-unknown': ['340000000', 'unknown'],
  'sent-again': ['202000000', 'sent'],
  edited: ['201000000', 'sent'],
  'followed-up': ['203000000', 'sent'],
  deleted: ['204000000', 'sent'],
  replaced: ['205000000', 'sent'],
  'nothing-to-correct': ['109000000', 'stopped'],
  // it was taken, and did not arrive
  undelivered: ['200300000', 'failed'],
  // nobody knew whether it was sent, until somebody found out
  'told-delivered': ['300200000', 'delivered'],
  'told-failed': ['300300000', 'failed'],
} as const satisfies Record<Reason, Entry>

export interface FlowReceipt {
  readonly state: ReceiptState
  readonly reason?: Reason
}

const receipts = new Map<string, FlowReceipt & { readonly stage: FlowStage }>()
for (const state of receiptStates) receipts.set(ofStates[state][0], { state, stage: ofStates[state][1] })
for (const reason of reasons)
  receipts.set(ofReasons[reason][0], { state: stateOfReason(reason), reason, stage: ofReasons[reason][1] })

/** Every number there is. */
export const flows: readonly string[] = [...receipts.keys()]

export function flowOf(state: ReceiptState, reason: Reason | undefined): string {
  return reason !== undefined && stateOfReason(reason) === state ? ofReasons[reason][0] : ofStates[state][0]
}

/** What a number stands for. @throws RangeError on one that there is not */
export function receiptOfFlow(flow: string): FlowReceipt & { readonly stage: FlowStage } {
  const found = receipts.get(flow)
  if (!found) throw new RangeError(`no receipt has the flow ${flow}`)
  return found
}

export const flowRow = z
  .strictObject({
    ordinal: smallCount.describe('place in the audience, from 0'),
    person: personId,
    flow: z
      .record(z.string(), z.string())
      .describe('by channel: nine digits')
      .meta({ examples: [{ sms: '302000000', vk: '200000000' }] }),
  })
  .describe('how far one person has come on each channel')
export type FlowRow = z.infer<typeof flowRow>

/** The way through, and how many came so far or further. */
export const passed = z.strictObject({
  sent: count.describe('sent, or further'),
  delivered: count.describe('delivered, or further'),
  read: count.describe('read, or further'),
  confirmed: count.describe('confirmed'),
})
export type Passed = z.infer<typeof passed>

const countPerStage = z.strictObject(
  Object.fromEntries(flowStages.map((stage) => [stage, count.describe(`people at this stage: ${stage}`)])) as Record<
    FlowStage,
    z.ZodInt
  >,
)

export const funnelView = z
  .strictObject({
    channels: z
      .record(
        z.string(),
        z.strictObject({
          people: count.describe('of the audience'),
          stages: countPerStage.describe('where they are, each in one'),
          flows: z.record(z.string(), count).describe('how many have which nine digits'),
          passed: passed.describe('who came so far, or further; sent: also who was reported undelivered after it'),
        }),
      )
      .describe('by channel'),
  })
  .describe('how many people have come how far')
export type FunnelView = z.infer<typeof funnelView>

const noStages = (): Record<FlowStage, number> =>
  Object.fromEntries(flowStages.map((stage) => [stage, 0])) as Record<FlowStage, number>

/** Of the people of one channel. @param counts by nine digits */
export function funnelOf(counts: Readonly<Record<string, number>>): FunnelView['channels'][string] {
  const stages = noStages()
  let taken = 0
  for (const [flow, people] of Object.entries(counts)) {
    const { stage } = receiptOfFlow(flow)
    stages[stage] += people
    if (flow.startsWith('2') || stage === 'delivered') taken += people
  }
  const { delivered, read, confirmed } = stages
  return {
    people: Object.values(counts).reduce((sum, people) => sum + people, 0),
    stages,
    flows: counts,
    passed: { sent: taken, delivered: delivered + read + confirmed, read: read + confirmed, confirmed },
  }
}
