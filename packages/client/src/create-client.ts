import { applicationCalls } from './applications.ts'
import { changeCalls } from './changes.ts'
import { directoryCalls } from './directory.ts'
import { eventCalls } from './events.ts'
import { fileCalls } from './files.ts'
import { fleetCalls } from './fleet.ts'
import { createHttp, type Http } from './http.ts'
import { inboundCalls } from './inbound.ts'
import { messageCalls } from './messages.ts'
import { peopleCalls } from './people.ts'
import { receiptCalls } from './receipts.ts'
import { sessionCalls } from './sessions.ts'
import { settingsCalls } from './settings.ts'
import { subscriptionCalls } from './subscriptions.ts'
import { templateCalls } from './templates.ts'
import { topicCalls } from './topics.ts'

export interface Endpoint {
  /** e.g. http://127.0.0.1:8080 */
  readonly apiUrl: string
  readonly apiKey: string
  /** with the API key of an inbound process: the contact whose person is calling, such as telegram:7001 */
  readonly onBehalfOf?: string
  /** for tests, proxies and deadlines; the global one when absent */
  readonly fetch?: typeof fetch
}

export type Client = ReturnType<typeof clientOver>

/** Every route of the API as a typed call. @throws ApiError · UnreachableError from each of them */
export function clientOver(http: Http) {
  return {
    ...changeCalls(http),
    ...messageCalls(http),
    ...fileCalls(http),
    ...receiptCalls(http),
    ...eventCalls(http),
    ...directoryCalls(http),
    ...applicationCalls(http),
    ...templateCalls(http),
    ...topicCalls(http),
    ...subscriptionCalls(http),
    ...settingsCalls(http),
    ...peopleCalls(http),
    ...inboundCalls(http),
    ...sessionCalls(http),
    ...fleetCalls(http),
  }
}

/** The client of whoever has an API key. */
export function createClient({ apiUrl, apiKey, onBehalfOf, fetch }: Endpoint): Client {
  const identity = {
    authorization: `Bearer ${apiKey}`,
    ...(onBehalfOf === undefined ? {} : { 'on-behalf-of': onBehalfOf }),
  }
  return clientOver(createHttp({ apiUrl, identify: () => identity, fetch }))
}
