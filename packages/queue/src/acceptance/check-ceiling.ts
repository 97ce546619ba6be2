/** A ceiling in money is one in the currency of the prices: else nobody knows what counts under it. */
import { type Ceiling, Problem } from '@courier-fleet/api-types'
import type { Settings } from '@courier-fleet/store'

/** @throws Problem 422 `no-prices` */
export function requirePriced({ tariffs }: Pick<Settings, 'tariffs'>, ceiling: Ceiling | undefined): void {
  if (!ceiling || 'parts' in ceiling || ceiling.currency === tariffs?.currency) return
  const what = tariffs ? `prices of SMS are in ${tariffs.currency}` : 'no prices of SMS are set (`tariffs`)'
  const how = tariffs ? `say it in ${tariffs.currency} or in parts` : 'say it in parts'
  throw new Problem(422, 'no-prices', `${what}: ${how}`, 'ceiling.currency')
}
