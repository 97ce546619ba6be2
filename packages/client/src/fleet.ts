import type {
  ApiKeyCreated,
  ApiKeyInput,
  ApiKeyView,
  ChannelList,
  ChannelPauseView,
  RetiredChannel,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** The fleet itself: its channels, and who may call its API. */
export function fleetCalls(http: Http) {
  return {
    channels: () => http.call<ChannelList>('GET', '/channels'),
    /** Takes a channel without couriers out of use, and tells what still waits for it. */
    retireChannel: (channel: string) => http.call<RetiredChannel>('DELETE', path('channels', channel)),
    /** Its couriers claim nothing until it is resumed. */
    pauseChannel: (channel: string) => http.call<ChannelPauseView>('PUT', path('channels', channel, 'pause')),
    resumeChannel: (channel: string) => http.call<void>('DELETE', path('channels', channel, 'pause')),
    apiKeys: () => http.call<{ apiKeys: ApiKeyView[] }>('GET', '/api-keys'),
    createApiKey: (key: ApiKeyInput) => http.call<ApiKeyCreated>('POST', '/api-keys', { body: key }),
    revokeApiKey: (id: string) => http.call<void>('DELETE', path('api-keys', id)),
  }
}
