/** Calls the URL of a subscription once, with a body that tells of no change, and says what came of it. */
import { randomUUID } from 'node:crypto'
import type { SubscriptionTest } from '@courier-fleet/api-types'
import {
  changeBodyOf,
  noteDelivery,
  type Subscription,
  secretsOf,
  unreadableSecret,
} from '@courier-fleet/subscriptions'
import { type Answer, openSecret, signedHeaders } from '@courier-fleet/webhooks'
import type { RouteDeps } from '../app-deps.ts'
import { requireSealingKey } from './webhooks.ts'

/** @throws Problem 503 `no-fleet-secret` */
export async function testSubscription(
  { redis, webhooks, clock }: Pick<RouteDeps, 'redis' | 'webhooks' | 'clock'>,
  subscription: Subscription,
  signal: AbortSignal,
): Promise<SubscriptionTest> {
  const sealingKey = requireSealingKey(webhooks)
  const [id, atMs] = [`test-${randomUUID()}`, clock.now()]
  const { url, resource, resourceId = '*' } = subscription
  const said = { subscription: subscription.id, resource, resource_id: resourceId, sequence: 0, diff: {} }
  const body = changeBodyOf({ type: 'subscription.test', id, createdMs: atMs, ...said })
  const secrets = secretsOf(subscription, atMs, (sealed, of) => openSecret(sealingKey, sealed, of))
  const call = (signed: readonly string[]) => {
    const headers = { 'content-type': 'application/json', ...signedHeaders({ id, secrets: signed, atMs, body }) }
    return webhooks.client.post(url, { headers, body }, signal)
  }
  const outcome = outcomeOf(secrets ? await call(secrets) : { kind: 'blocked', why: unreadableSecret })
  await noteDelivery(redis, subscription.id, { id, at: new Date(atMs).toISOString(), attempt: 1, ...outcome, body })
  return outcome
}

function outcomeOf(answer: Answer): SubscriptionTest {
  if (answer.kind === 'blocked') return { delivered: false, why: answer.why, ms: 0 }
  if (answer.kind === 'no-answer') return { delivered: false, why: answer.detail, ms: answer.ms }
  const { status, ms } = answer
  if (status >= 200 && status < 300) return { delivered: true, status, ms }
  const why = status >= 300 && status < 400 ? 'redirects are not followed' : 'only 2xx says that it was taken'
  return { delivered: false, status, why, ms }
}
