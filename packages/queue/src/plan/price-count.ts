/** People by the price of their number. */
import { type Cost, priceOf, type Tariffs } from '@courier-fleet/api-types'

export interface PriceCount {
  /** @param number undefined: nobody knows it any more. @param parts of their SMS, where they are not the same for all */
  add(number: string | undefined, parts?: number): void
  /** @param people where that is more than were added, they are scaled to it */
  cost(people?: number): Cost
  /** The same with what all of their parts come to. */
  costOfParts(people?: number): Cost
}

/** @param tariffs null: nobody has said */
export function createPriceCount(tariffs: Tariffs | null): PriceCount {
  const priced = new Map<Tariffs['prices'][number], number>()
  let all = 0
  let allParts = 0
  let millionths = 0
  const scaleTo = (people: number) => (all === 0 ? 0 : people / all)
  return {
    add(number, parts = 0) {
      all += 1
      allParts += parts
      const price = tariffs && number !== undefined ? priceOf(tariffs.prices, number) : undefined
      if (!price) return
      priced.set(price, (priced.get(price) ?? 0) + 1)
      millionths += price.perPart * parts
    },
    costOfParts(people = all) {
      const scale = scaleTo(people)
      return {
        ...this.cost(people),
        ...(tariffs ? { millionths: Math.round(millionths * scale) } : {}),
        parts: Math.round(allParts * scale),
      }
    },
    cost(people = all) {
      const scale = scaleTo(people)
      const prices = [...priced].map(([{ prefix, perPart }, each]) => {
        return { prefix, perPart, people: Math.round(each * scale) }
      })
      const rest = people - prices.reduce((sum, each) => sum + each.people, 0)
      return { people, prices, unpriced: Math.max(0, rest), ...(tariffs ? { currency: tariffs.currency } : {}) }
    },
  }
}
