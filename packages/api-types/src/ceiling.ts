/** What the SMS of one message may come to at most: in parts, or in money by the setting `tariffs`. */
import { z } from 'zod'
import { count } from './fields.ts'
import { smsPartsOf } from './sms-parts.ts'
import { priceOf, type Tariffs, tariffs } from './tariffs.ts'

const parts = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .describe('so many parts of SMS')
  .meta({ examples: [300] })
const millionths = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('so much money, in millionths of the currency')
  .meta({ examples: [200_000_000] })
const { currency } = tariffs.shape

/** As a sender writes it. */
export const ceiling = z.union([z.strictObject({ parts }), z.strictObject({ millionths, currency })])
export type Ceiling = z.infer<typeof ceiling>

/** Of a message that was accepted, with what of it is spent. */
export const ceilingView = z
  .strictObject({
    parts: parts.optional().describe('so many parts of SMS; absent of a ceiling in money'),
    millionths: millionths.optional().describe('so much money, in millionths of the currency; absent of one in parts'),
    currency: currency.optional().describe('of a ceiling in money'),
    spent: count.describe(
      'what of it is spent, likewise: on whoever was sent it, may have been, or is being sent to now; who was certainly refused costs nothing',
    ),
  })
  .describe('what its SMS may come to, and what of that is spent')
export type CeilingView = z.infer<typeof ceilingView>

export const limitOf = (ceiling: Ceiling): number => ('parts' in ceiling ? ceiling.parts : ceiling.millionths)

/** What this text to this number counts under a ceiling; undefined where it is one in money, and nobody knows the price. */
export function countsUnder(
  ceiling: Ceiling,
  { text, number, tariffs }: { readonly text: string; readonly number: string; readonly tariffs: Tariffs | null },
): number | undefined {
  const { parts } = smsPartsOf(text)
  if ('parts' in ceiling) return parts.length
  const price = tariffs?.currency === ceiling.currency ? priceOf(tariffs.prices, number) : undefined
  return price && parts.length * price.perPart
}
