/** Apart from the schemas, so that a page loads nothing else of them. */
import type { Cost } from './forecast.ts'

/** With what so many parts for each cost. @param partsEach of the text */
export function pricedParts({ people, prices, unpriced, currency }: Cost, partsEach: number): Cost {
  const each = prices.reduce((sum, price) => sum + price.perPart * price.people, 0)
  const parts = partsEach * people
  return {
    people,
    prices,
    unpriced,
    ...(currency === undefined ? {} : { currency, millionths: partsEach * each }),
    partsEach,
    parts,
  }
}
