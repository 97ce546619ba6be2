/**
 * The receiver's half of a webhook. The fleet calls until it hears that it was heard: the same call may come twice, and a change that
 * is older than one that was already told. Here each call is handled once, and no change of a resource after a newer one. Of messages nothing is
 * put in order: which text is the newest say `version` and `replaces`, which are to be kept with what you have of the message.
 */
import { type CallHeaders, secretBytes, verifyWebhook, WebhookError } from './verify-webhook.ts'

export interface WebhookDelivery {
  /** the same at every try: where handling must not happen twice even over a restart, keep it with what you write */
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
  /**
   * numbers of this resource before it were never handled here: changes that were lost on this side, or that may not be told any more. Where
   * its diff does not begin with what you have, read the resource
   */
  readonly missed: boolean
}

export interface WebhookReceiverOptions {
  /** whsec_…; while one is being rotated both */
  readonly secrets: readonly string[]
  /** What is to be done about it; when it rejects, the fleet calls again later. */
  readonly handle: (delivery: WebhookDelivery) => unknown
  /** how many ids and resources are remembered */
  readonly remember?: number
}

/** What to answer the fleet. */
export interface WebhookReply {
  readonly status: 204 | 401 | 500
  /** why it was not taken */
  readonly why?: string
  /** of 500: what `handle` rejected with, for your log */
  readonly error?: unknown
}

export type WebhookReceiver = (headers: CallHeaders, body: string | Uint8Array) => Promise<WebhookReply>

/** The changes of one resource, one after the other. */
interface Line {
  /** the newest that was handled */
  last: number
  /** when all that came are handled */
  end: Promise<void>
}

/**
 * @returns what takes one call: its headers, and its body as it came; it never rejects. Calls are handled in the order they came in.
 * @throws TypeError when a secret is none
 */
export function createWebhookReceiver({ secrets, handle, remember = 10_000 }: WebhookReceiverOptions): WebhookReceiver {
  for (const secret of secrets) secretBytes(secret)
  /** by id, while it is handled and afterwards */
  const handled = new Map<string, Promise<void>>()
  const lines = new Map<string, Line>()

  async function handleInOrder(id: string, data: WebhookDelivery['data'], sequence: number): Promise<void> {
    const resource = resourceOf(data)
    const line = lines.get(resource) ?? { last: 0, end: Promise.resolve() }
    keep(lines, resource, line, remember)
    const handling = line.end.then(async () => {
      if (sequence <= line.last) return
      await handle({ id, data, missed: sequence > line.last + 1 })
      line.last = sequence
    })
    line.end = handling.catch(() => {})
    return handling
  }

  const handleOnce = async (id: string, data: WebhookDelivery['data']): Promise<void> => {
    // what was asked for as a test is of no change, and has none
    if (typeof data.sequence === 'number' && data.sequence > 0) await handleInOrder(id, data, data.sequence)
    else await handle({ id, data, missed: false })
  }

  // signatures are verified on several threads, so a later call may be done with it first
  let verifiedBefore: Promise<unknown> = Promise.resolve()
  const verifyInOrder = async (headers: CallHeaders, body: string | Uint8Array) => {
    const before = verifiedBefore
    const verifying = verifyWebhook({ headers, body, secrets })
    verifiedBefore = Promise.allSettled([before, verifying])
    await before
    return verifying
  }

  return async (headers, body) => {
    try {
      const { id, data } = await verifyInOrder(headers, body)
      const known = handled.get(id)
      const handling = known ?? handleOnce(id, data)
      if (!known) keep(handled, id, handling, remember)
      try {
        await handling
      } catch (error) {
        if (handled.get(id) === handling) handled.delete(id)
        throw error
      }
      return { status: 204 }
    } catch (error) {
      if (error instanceof WebhookError) return { status: 401, why: error.message }
      return { status: 500, why: 'it could not be handled; call again', error }
    }
  }
}

/** Each subscription numbers its own changes. */
const resourceOf = ({ subscription, resource, resource_id }: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([subscription, resource, resource_id])

/** As the newest; the oldest goes when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
