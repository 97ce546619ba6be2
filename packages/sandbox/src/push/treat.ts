/** What the push service makes of a notification: the faults of the World first, then how the browser is, then what the request says. */
import type { IncomingHttpHeaders } from 'node:http'
import { madeUpKeys, pushAddressOf } from '@courier-fleet/channels'
import type { Fault } from '../faults.ts'
import { createRate } from '../rate.ts'
import { Remembered } from '../remembered.ts'
import type { World } from '../world.ts'
import { decrypt } from './decrypt.ts'
import { senderOf } from './vapid.ts'

export interface Pushed {
  /** of the subscription, as the request was made to */
  readonly endpoint: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Verdict =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly said?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** the connection is cut instead */
  | { readonly kind: 'cut' }
  /** nothing is said at all */
  | { readonly kind: 'hang' }

const remembered = 100_000
const maxBodyBytes = 4096
const states: Readonly<Record<string, number>> = { blocked: 410, deactivated: 410, unknown: 404 }
const channel = 'push'

const status = (code: number, said?: string): Verdict => ({ kind: 'status', status: code, ...(said ? { said } : {}) })
const busy = (seconds: number): Verdict => ({
  kind: 'status',
  status: 429,
  headers: { 'retry-after': String(seconds) },
})

export function createTreatment(world: World): (pushed: Pushed) => Verdict {
  const rate = createRate()
  /** whose a subscription is: of the key that it first took something from */
  const owners = new Remembered<string>(remembered)
  /** the latest with a topic, by subscription and topic */
  const topics = new Remembered<string>(remembered)
  let lastId = 0

  /** Why it is not taken, by what RFC 8030 and RFC 8292 ask of a request. */
  function refusalOf({ endpoint, headers, body }: Pushed): Verdict | undefined {
    if (!/^\d{1,9}$/.test(String(headers.ttl))) return status(400, 'no TTL')
    if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return status(400, 'no such topic')
    if (headers['content-encoding'] !== 'aes128gcm') return status(400, 'not encrypted as browsers read it')
    if (body.length > maxBodyBytes) return status(413)
    const sender = senderOf(headers.authorization, new URL(endpoint).origin)
    if ('why' in sender) return status(401, sender.why)
    if ((owners.get(endpoint) ?? sender.key) !== sender.key) return status(403, 'the subscription is of another key')
    owners.set(endpoint, sender.key)
    return undefined
  }

  /** One that waits for the browser is replaced by the next with its topic. */
  function accept(address: string, topic: string, body: Buffer): string {
    const providerId = String(++lastId)
    const before = topics.get(`${address} ${topic}`)
    if (topic !== '' && before !== undefined && world.isWaiting({ channel, address, providerId: before }))
      world.revise({ channel, address, providerId: before, at: Date.now() })
    topics.set(`${address} ${topic}`, providerId)
    world.accept({ channel, address, text: shown(decrypt(body)), key: topic, at: Date.now(), providerId })
    return providerId
  }

  return (pushed) => {
    const { endpoint, headers, body } = pushed
    const address = pushAddressOf({ endpoint, keys: madeUpKeys })
    const fault = (kind: Fault['kind']) => world.takeFault(channel, kind, address)
    if (fault('disconnect')) return { kind: 'cut' }
    if (fault('hang')) return { kind: 'hang' }
    const throttled = fault('throttle')
    if (throttled) return busy(throttled.seconds ?? 1)
    const rejected = fault('reject')
    if (rejected) return status(Number(rejected.code))
    if (!rate.take(world.limits.push.perSecond, performance.now())) return busy(1)
    const gone = states[world.phone(channel, address).state]
    if (gone !== undefined) return status(gone)
    const refusal = refusalOf(pushed)
    if (refusal) return refusal
    const topic = String(headers.topic ?? '')
    if (world.refusesOnce(channel, address, topic)) return status(410)
    const id = accept(address, topic, body)
    if (fault('reply-lost')) return { kind: 'cut' }
    return { kind: 'status', status: 201, headers: { location: `${new URL(endpoint).origin}/messages/${id}` } }
  }
}

/** As the service worker shows it. */
function shown(payload: string | undefined): string {
  try {
    const { text } = JSON.parse(payload ?? '') as { text?: unknown }
    if (typeof text === 'string') return text
  } catch {}
  return '(for another browser)'
}
