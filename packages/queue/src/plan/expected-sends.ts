/** Whom a message is sent to on each channel, and what its SMS cost: counted person by person, while a plan is worked out. */
import { type ForecastView, type Plan, type Reader, splitText, type Tariffs, textsOf } from '@courier-fleet/api-types'
import { contentOn, findChannel } from '@courier-fleet/channels'
import { createPlanCount, type Outlook } from '@courier-fleet/rules'
import { type AskingWords, tooLongOn } from '../acceptance/fitting-text.ts'
import type { ChannelPace } from './channel-paces.ts'
import { endOf, lastOf } from './expected-end.ts'
import { createPaidCount, isPaid, partsOn } from './paid-count.ts'

export interface ExpectedSends {
  /** One person: on each of their channels what becomes of the message there, and their address. */
  add(onEach: ReadonlyMap<string, { readonly outlook: Outlook; readonly address: string }>, reader: Reader): void
  /** @param size of the whole audience */
  forecast(asOfMs: number, size: number): ForecastView
}

interface Expected {
  readonly channels: ReadonlySet<string>
  /** undefined while there is no text */
  readonly words: AskingWords | undefined
  readonly tariffs: Tariffs | null
  /** of these channels, as they are now */
  readonly paces: ReadonlyMap<string, ChannelPace>
  /** Unix ms */
  readonly dueMs: number
  /** of its type, after that; undefined for none */
  readonly deadlineMs: number | undefined
}

const nobody: Outlook = { kind: 'never', why: 'no-contact' }

export function createExpectedSends({
  channels: all,
  words,
  tariffs,
  paces,
  dueMs,
  deadlineMs,
}: Expected): ExpectedSends {
  const channels = [...all].filter((channel) => words === undefined || tooLongOn(channel, words) === undefined)
  const counts = new Map(channels.map((channel) => [channel, createPlanCount()] as const))
  const [paid] = channels.filter(isPaid)
  const count = paid === undefined ? undefined : createPaidCount(paid, words, tariffs)

  /** Of one piece, where there is no text yet. */
  const piecesOn = (channel: string) => (words === undefined ? 1 : piecesOf(channel, words))

  return {
    add(onEach, reader) {
      for (const [channel, plan] of counts) {
        const found = onEach.get(channel)
        plan.add(found?.outlook ?? nobody)
        if (channel !== paid || !found || found.outlook.kind === 'never') continue
        count?.add(found.address, reader)
      }
    },
    forecast(asOfMs, size) {
      const plans = new Map([...counts].map(([channel, plan]) => [channel, plan.plan(asOfMs, size)] as const))
      const ends = [...plans].map(([channel, plan]) => {
        const people = sentIn(plan)
        return [channel, { people, ...endOf({ channel, plan, dueMs, paces, pieces: piecesOn(channel) }) }] as const
      })
      const paidPlan = paid === undefined ? undefined : plans.get(paid)
      return {
        channels: Object.fromEntries(ends),
        ...lastOf(ends.map(([, end]) => end)),
        ...(deadlineMs === undefined ? {} : { deadline: new Date(dueMs + deadlineMs).toISOString() }),
        ...(paidPlan && count ? { cost: count.cost(sentIn(paidPlan)) } : {}),
      }
    },
  }
}

export const sentIn = ({ now, later }: Plan) => later.reduce((sum, { people }) => sum + people, now)

/** Where the provider counts pieces of a text, so many for each person; of a text in several languages those of the longest. */
function piecesOf(channel: string, words: AskingWords): number {
  if (words.personal)
    return Math.max(...textsOf(words).map((text) => piecesOf(channel, { ...words, text, personal: undefined })))
  const form = findChannel(channel)?.text
  if (form?.kind === 'sms-parts') return partsOn(channel, words).parts.length
  return form?.kind === 'pieces' ? splitText(contentOn(channel, words).text, form.maxPieceUnits).length : 1
}
