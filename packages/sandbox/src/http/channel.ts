import type { ChannelName } from '@courier-fleet/channels'
import type { World } from '../world.ts'

/** Until the descriptor of the channel is there. */
export const http = 'http' as string as ChannelName

export const perSecond = ({ limits }: World): number | null =>
  (limits as unknown as Record<string, { perSecond?: number | null }>).http?.perSecond ?? null
