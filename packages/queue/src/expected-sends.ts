/** Whom a message is sent to on each channel, and what its SMS cost: counted person by person, while a plan is worked out. */
import {
  type Cost,
  type ForecastView,
  type Plan,
  pricedParts,
  type SmsParts,
  smsPartsOf,
  splitText,
  type Tariffs,
} from '@courier-fleet/api-types'
import { contentOn, findChannel } from '@courier-fleet/channels'
import { askedOn } from '@courier-fleet/channels/asked'
import { createPlanCount, type Outlook } from '@courier-fleet/rules'
import type { ChannelPace } from './channel-paces.ts'
import { endOf, lastOf } from './expected-end.ts'
import { type AskingWords, tooLongOn } from './fitting-text.ts'
import { createPriceCount } from './price-count.ts'

export interface ExpectedSends {
  /** One person: on each of their channels what becomes of the message there, and their address. */
  add(onEach: ReadonlyMap<string, { readonly outlook: Outlook; readonly address: string }>): void
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
}

const nobody: Outlook = { kind: 'never', why: 'no-contact' }
const isPaid = (channel: string) => findChannel(channel)?.text.kind === 'sms-parts'

/** As it goes out by SMS, with the sender line and what is asked for. */
export const partsOn = (channel: string, words: AskingWords): SmsParts =>
  smsPartsOf(askedOn(channel, contentOn(channel, words).text, words.confirm))

export function createExpectedSends({ channels: all, words, tariffs, paces, dueMs }: Expected): ExpectedSends {
  const channels = [...all].filter((channel) => words === undefined || tooLongOn(channel, words) === undefined)
  const counts = new Map(channels.map((channel) => [channel, createPlanCount()] as const))
  const [paid] = channels.filter(isPaid)
  const count = createPriceCount(tariffs)

  function costOf(people: number): Cost {
    const cost = count.cost(people)
    return words === undefined || paid === undefined ? cost : pricedParts(cost, partsOn(paid, words).parts.length)
  }

  /** Of one piece, where there is no text yet. */
  const piecesOn = (channel: string) => (words === undefined ? 1 : piecesOf(channel, words))

  return {
    add(onEach) {
      for (const [channel, plan] of counts) {
        const found = onEach.get(channel)
        plan.add(found?.outlook ?? nobody)
        if (channel === paid && found && found.outlook.kind !== 'never') count.add(found.address)
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
        ...(paidPlan ? { cost: costOf(sentIn(paidPlan)) } : {}),
      }
    },
  }
}

const sentIn = ({ now, later }: Plan) => later.reduce((sum, { people }) => sum + people, now)

/** Where the provider counts pieces of a text, so many for each person. */
function piecesOf(channel: string, words: AskingWords): number {
  const form = findChannel(channel)?.text
  if (form?.kind === 'sms-parts') return partsOn(channel, words).parts.length
  return form?.kind === 'pieces' ? splitText(contentOn(channel, words).text, form.maxPieceUnits).length : 1
}
