/** One try to deliver a body, and what is to be done after it. */

import type { Sending } from '@courier-fleet/store'
import { type Subscription, secretsOf, unreadableSecret } from '@courier-fleet/subscriptions'
import {
  type Answer,
  type GuardedClient,
  nextTryMs,
  openSecret,
  type SealingKey,
  signedHeaders,
  type Told,
  toldOf,
} from '@courier-fleet/webhooks'

/** as many as the schedule of standard-webhooks has pauses, and the first: three days */
export const maxTries = 10

interface CallDeps {
  readonly client: Pick<GuardedClient, 'post'>
  /** absent: nothing can be signed */
  readonly sealing: SealingKey | undefined
  /** HTTP_RETRY_SCALE */
  readonly scale: number
  readonly stopping: AbortSignal
  readonly nowMs: () => number
}

export interface Tried {
  readonly delivered: boolean
  /** the endpoint says that it is gone for good */
  readonly gone: boolean
  readonly status?: number
  /** what it says of the endpoint; absent where that was not reached by our own doing */
  readonly told?: Pick<Told, 'answer' | 'said' | 'pauseMs'> | undefined
  /** why it was not delivered, in words */
  readonly why?: string
  readonly ms: number
  readonly nextMs: number
}

export type Call = (subscription: Subscription, sending: Sending) => Promise<Tried | 'stopped'>

export function createCall({ client, sealing, scale, stopping, nowMs }: CallDeps): Call {
  return async (subscription, sending) => {
    const { id, body } = sending
    const atMs = nowMs()
    const secrets = secretsOf(subscription, atMs, (sealed, of) => sealing && openSecret(sealing, sealed, of))
    const answer: Answer = secrets
      ? await client.post(
          subscription.url,
          { headers: headersOf(signedHeaders({ id, secrets, atMs, body })), body },
          stopping,
        )
      : { kind: 'blocked', why: unreadableSecret }
    if (stopping.aborted && answer.kind === 'no-answer') return 'stopped'
    const nextMs = nextTryMs({ tries: sending.tries + 1, answer, scale, nowMs: nowMs() })
    return { ...triedOf(answer, nextMs), told: toldOf(answer, nowMs()) }
  }
}

const headersOf = (signed: Readonly<Record<string, string>>) => ({
  ...signed,
  'content-type': 'application/json',
  'user-agent': 'courier-fleet',
})

function triedOf(answer: Answer, nextMs: number): Tried {
  if (answer.kind === 'blocked') return { delivered: false, gone: false, why: answer.why, ms: 0, nextMs }
  if (answer.kind === 'no-answer') return { delivered: false, gone: false, why: answer.detail, ms: answer.ms, nextMs }
  const { status, ms } = answer
  const delivered = status >= 200 && status < 300
  const why = delivered ? {} : { why: `answered ${status}` }
  return { delivered, gone: status === 410, status, ...why, ms, nextMs }
}
