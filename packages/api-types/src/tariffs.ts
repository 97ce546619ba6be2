/** What a part of an SMS costs, by how the number begins, in whole millionths of a currency. */
import { z } from 'zod'

const price = z.strictObject({
  prefix: z
    .string()
    .regex(/^\+\d{0,15}$/, 'how numbers begin, such as +79; + is every number')
    .describe('how the numbers begin, such as +79; of several that fit the longest counts, and + is every number')
    .meta({ examples: ['+79'] }),
  perPart: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .describe('price of one part, in millionths of the currency')
    .meta({ examples: [2_000_000] }),
})

export const tariffs = z
  .strictObject({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'a currency of three capital letters, such as RUB')
      .describe('in which the prices are, of ISO 4217')
      .meta({ examples: ['RUB'] }),
    prices: z
      .array(price)
      .min(1)
      .max(100)
      .refine((prices) => new Set(prices.map(({ prefix }) => prefix)).size === prices.length, 'each prefix once')
      .describe('by how the numbers begin'),
  })
  .meta({ examples: [{ currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] }] })
export type Tariffs = z.infer<typeof tariffs>

type Price = Tariffs['prices'][number]

/** The price of this number: that of the longest prefix; undefined where none fits. @param number as +79001234567 */
export function priceOf<P extends Pick<Price, 'prefix'>>(prices: readonly P[], number: string): P | undefined {
  let found: P | undefined
  for (const each of prices)
    if (number.startsWith(each.prefix) && each.prefix.length > (found?.prefix.length ?? 0)) found = each
  return found
}
