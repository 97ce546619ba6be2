/** Parts of URLs that several routes have. */
import { channelName, id } from '@courier-fleet/api-types'
import { z } from 'zod'

/** the form of a history key is checked by parseHistoryKey(), which says more */
export const keyParams = z.strictObject({ key: z.string() })
export const idParams = z.strictObject({ id })
export const channelPersonParams = z.strictObject({ channel: channelName, person: id })

export function limitParam(max: number, usual: number) {
  return z.coerce.number().int().min(1).max(max).default(usual).describe(`at most ${max}`)
}
