import type { ApiKeyCreated, ApiKeyInput, ApiKeyView, ChannelList } from '@courier-fleet/api-types'
import { directoryCalls } from './directory.ts'
import { createHttp, type Endpoint, type Http, path } from './http.ts'
import { inboundCalls } from './inbound.ts'
import { messageCalls } from './messages.ts'
import { peopleCalls } from './people.ts'

function fleetCalls(http: Http) {
  return {
    channels: () => http.call<ChannelList>('GET', '/channels'),
    apiKeys: () => http.call<{ apiKeys: ApiKeyView[] }>('GET', '/api-keys'),
    createApiKey: (key: ApiKeyInput) => http.call<ApiKeyCreated>('POST', '/api-keys', { body: key }),
    revokeApiKey: (id: string) => http.call<void>('DELETE', path('api-keys', id)),
  }
}

export type Client = ReturnType<typeof createClient>

/** Every route of the API as a typed call. @throws ApiError · UnreachableError from each of them */
export function createClient(endpoint: Endpoint) {
  const http = createHttp(endpoint)
  return {
    ...messageCalls(http),
    ...directoryCalls(http),
    ...peopleCalls(http),
    ...inboundCalls(http),
    ...fleetCalls(http),
  }
}
