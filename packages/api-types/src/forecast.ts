/** What a message is expected to come to: whom it is sent to on each channel, and what its SMS cost. */
import { z } from 'zod'
import { channelId, count, smallCount } from './fields.ts'
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

export const forecast = z
  .strictObject({
    channels: z
      .record(channelId, z.strictObject({ people: count.describe('people who are sent it there, now or later') }))
      .describe('by channel, as the rules say at that moment'),
    cost: cost.optional().describe('absent where none of its channels is SMS'),
  })
  .describe('what it is expected to come to')
export type ForecastView = z.infer<typeof forecast>
