import type {
  DeliveryList,
  EndpointView,
  ReplayAccepted,
  RotatedSecret,
  SubscriptionCreated,
  SubscriptionInput,
  SubscriptionList,
  SubscriptionTest,
  SubscriptionView,
  WebhookSecretView,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** `sender`: whose messages name it, for operators; one's own when absent */
type Endpoint = { readonly url: string; readonly sender?: string } | { readonly person: string }

/** Who is told of which changes. Bodies that were posted are read with verifyWebhook(). */
export function subscriptionCalls(http: Http) {
  const verb = (id: string, name: string) => `${path('subscriptions', id)}:${name}`
  return {
    /** @param owner of whom, `*` for everybody, for operators; one's own when absent */
    subscriptions: (owner?: string) => http.call<SubscriptionList>('GET', '/subscriptions', { query: { owner } }),
    subscription: (id: string) => http.call<SubscriptionView>('GET', path('subscriptions', id)),
    /** Its secret is answered this once. */
    subscribe: (subscription: SubscriptionInput, { idempotencyKey }: { idempotencyKey?: string } = {}) =>
      http.call<SubscriptionCreated>('POST', '/subscriptions', { body: subscription, idempotencyKey }),
    unsubscribe: (id: string) => http.call<void>('DELETE', path('subscriptions', id)),
    /** Of the last 24 hours, the newest first. */
    deliveries: (id: string) => http.call<DeliveryList>('GET', path('subscriptions', id, 'deliveries')),
    /** Calls its URL once, and says what came of it. */
    testSubscription: (id: string) => http.call<SubscriptionTest>('POST', verb(id, 'test')),
    /** The secrets before it sign, too, for a day more. */
    rotateSubscription: (id: string) => http.call<RotatedSecret>('POST', verb(id, 'rotate')),
    /** @param since ISO 8601, at most 14 days ago */
    replaySubscription: (id: string, since: string) =>
      http.call<ReplayAccepted>('POST', verb(id, 'replay'), { body: { since } }),
    /** How a URL that one names takes what is posted to it, or that of a person. */
    endpoint: (which: Endpoint) => http.call<EndpointView>('GET', '/endpoints', { query: { ...which } }),
    /** It is called again, though it has failed. */
    enableEndpoint: (which: Endpoint) => http.call<void>('POST', '/endpoints:enable', { body: which }),
    /** It is called no more, until it is enabled: what waits for it fails when it would have been called. */
    disableEndpoint: (which: Endpoint) => http.call<void>('POST', '/endpoints:disable', { body: which }),
    /** Of one's own secret, which signs what goes to URLs that one names; never the secret itself. */
    webhookSecret: () => http.call<WebhookSecretView>('GET', '/webhook-secret'),
    /** A new one, answered this once; those before it sign, too, for a day more. */
    rotateWebhookSecret: () => http.call<RotatedSecret>('POST', '/webhook-secret:rotate'),
    /** Likewise, of a person's URL. */
    rotateContactSecret: (person: string) =>
      http.call<RotatedSecret>('POST', `${path('contacts', 'http', person)}:rotate`),
  }
}
