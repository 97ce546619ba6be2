/** The URLs of a channel that are not called now: since when, why, and when again. */
import { type EndpointsView, maxEndpointsTold } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import type { Redis } from '@courier-fleet/store'
import { type OpenBreakers, readOpenBreakers } from '@courier-fleet/webhooks'

export interface ChannelEndpoints extends OpenBreakers {
  readonly channel: string
}

/** No other channel calls URLs, so none has breakers. */
export const readEndpoints = async (redis: Redis): Promise<ChannelEndpoints[]> => [
  { channel: http.name, ...(await readOpenBreakers(redis, http.name)) },
]

const stateOf = { open: 'left-alone', off: 'off' } as const
const iso = (ms: number) => new Date(ms).toISOString()

/** @returns undefined where every URL is called */
export function endpointsOf({ channel, breakers, isMore }: ChannelEndpoints): EndpointsView | undefined {
  if (breakers.length === 0) return undefined
  const [open, off] = (['open', 'off'] as const).map((state) => breakers.filter((each) => each.state === state))
  const first = [...(open ?? []), ...(off ?? [])].slice(0, maxEndpointsTold)
  return {
    channel,
    leftAlone: open?.length ?? 0,
    off: off?.length ?? 0,
    atLeast: isMore,
    first: first.map(({ host, state, sinceMs, said, nextMs }) => ({
      host,
      state: stateOf[state],
      since: iso(sinceMs),
      ...(said === undefined ? {} : { said }),
      ...(nextMs === undefined ? {} : { nextTryAt: iso(nextMs) }),
    })),
  }
}
