/** What a message is expected to come to: whom it is sent to on each channel, and what its SMS cost. */
import { z } from 'zod'
import { channelId, count, moment, smallCount } from './fields.ts'
import { tariffs } from './tariffs.ts'

const price = tariffs.shape.prices.element.extend({ people: count.describe('people whose numbers begin so') })

export const cost = z
  .strictObject({
    people: count.describe('people who are sent it by SMS'),
    prices: z.array(price).describe('those of them for whose numbers there is a price, by prefix'),
    unpriced: smallCount.describe('those of them for whose numbers there is none: what they cost is not known'),
    currency: tariffs.shape.currency.optional().describe('absent where no tariffs are set'),
    partsEach: smallCount.optional().describe('parts for each of them; absent where no text was given'),
    parts: count.optional().describe('for all of them; absent where no text was given'),
    millionths: z
      .int()
      .optional()
      .describe(
        'what the parts cost that have a price, in millionths of the currency; absent without a text or tariffs',
      )
      .meta({ examples: [908_000_000] }),
  })
  .describe('what its SMS cost, by the setting `tariffs`')
export type Cost = z.infer<typeof cost>

/** Why nobody can say when the last one has it: people wait until they are online; an operator has paused it; no courier is ready; nothing was sent on it yet. */
export const whyNoFinish = ['online', 'paused', 'no-courier', 'nothing-known'] as const
export type WhyNoFinish = (typeof whyNoFinish)[number]

const finish = z.strictObject({
  from: moment.describe('not before this time'),
  to: moment.describe('and by this time'),
})
export type Finish = z.infer<typeof finish>

export const forecast = z
  .strictObject({
    channels: z
      .record(
        channelId,
        z.strictObject({
          people: count.describe('people who are sent it there, now or later'),
          finish: finish
            .optional()
            .describe('when the last of them is dealt with, unless something else comes between'),
          unknown: z.enum(whyNoFinish).optional().describe('why that cannot be said; absent where it is'),
        }),
      )
      .describe('by channel, as the rules say at that moment'),
    finish: finish.optional().describe('when all of its channels are done; absent where it cannot be said of one'),
    deadline: moment
      .optional()
      .describe('by when everybody is to be told, as its type says; absent where that has no deadline'),
    cost: cost.optional().describe('absent where none of its channels is SMS'),
  })
  .describe('what it is expected to come to')
export type ForecastView = z.infer<typeof forecast>

export const forecastReport = z
  .strictObject({
    forecast: forecast.optional().describe('as it was accepted or moved; absent where none was asked for'),
    actual: z
      .strictObject({
        channels: z
          .record(
            channelId,
            z.strictObject({
              people: count.describe('people who were sent it there, or may have been'),
              finishedAt: moment.optional().describe('when its couriers there were done; absent while they are not'),
            }),
          )
          .describe('by channel'),
        finishedAt: moment.optional().describe('when all of its channels were done'),
        isWithin: z
          .boolean()
          .optional()
          .describe(
            'whether that is within the range that was stated; absent where none was, before the end, and where it was cancelled',
          ),
        cost: cost
          .optional()
          .describe(
            'what its SMS cost so far: of who was sent it or may have been, at the prices of the forecast, by the numbers they have now',
          ),
      })
      .describe('what has become of it so far'),
  })
  .describe('what was expected of a message, beside what has become of it')
export type ForecastReport = z.infer<typeof forecastReport>
