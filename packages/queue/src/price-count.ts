/** People by the price of their number. */
import { type Cost, priceOf, type Tariffs } from '@courier-fleet/api-types'

export interface PriceCount {
  /** @param number undefined: nobody knows it any more */
  add(number: string | undefined): void
  /** @param people where that is more than were added, they are scaled to it */
  cost(people?: number): Cost
}

/** @param tariffs null: nobody has said */
export function createPriceCount(tariffs: Tariffs | null): PriceCount {
  const priced = new Map<Tariffs['prices'][number], number>()
  let all = 0
  return {
    add(number) {
      all += 1
      const price = tariffs && number !== undefined ? priceOf(tariffs.prices, number) : undefined
      if (price) priced.set(price, (priced.get(price) ?? 0) + 1)
    },
    cost(people = all) {
      const scale = all === 0 ? 0 : people / all
      const prices = [...priced].map(([{ prefix, perPart }, each]) => {
        return { prefix, perPart, people: Math.round(each * scale) }
      })
      const rest = people - prices.reduce((sum, each) => sum + each.people, 0)
      return { people, prices, unpriced: Math.max(0, rest), ...(tariffs ? { currency: tariffs.currency } : {}) }
    },
  }
}
