/** Whether this is a history that there is no more. No key is given twice: of those nothing has to be kept of what was told. */
import { parseHistoryKey, type SubscriptionResource } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'

export const isPurged = async (redis: Redis, resource: SubscriptionResource, id: string): Promise<boolean> =>
  resource === 'history' && (await redis.exists(keys.history(parseHistoryKey(id)))) === 0
