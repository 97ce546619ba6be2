/** Whether a call that came in is from the fleet: signatures as standard-webhooks 1.0.0 has them. Runs wherever WebCrypto is. */

export interface ReceivedCall {
  readonly headers: CallHeaders
  /** as it came, before anything has read it: JSON that is written anew has another signature */
  readonly body: string | Uint8Array
  /** whsec_…; while one is being rotated both */
  readonly secrets: readonly string[]
  /** how far the clocks may be apart, and how old a call may be */
  readonly toleranceMs?: number
  readonly nowMs?: number
}

/** Of a Request of fetch, or of Node. */
export type CallHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifiedCall {
  /** the same at every try */
  readonly id: string
  /** of this try, Unix ms */
  readonly atMs: number
  /** the body */
  readonly data: Readonly<Record<string, unknown>>
}

/** The call is not to be believed. */
export class WebhookError extends Error {
  readonly code: 'no-signature' | 'too-old' | 'too-new' | 'wrong-signature' | 'no-json'

  constructor(code: WebhookError['code'], message: string) {
    super(message)
    this.name = 'WebhookError'
    this.code = code
  }
}

const prefix = 'whsec_'
const tolerance = 5 * 60_000

/** @throws WebhookError when the call is not from the fleet, or too old. @throws TypeError when a secret is none */
export async function verifyWebhook({
  headers,
  body,
  secrets,
  toleranceMs = tolerance,
  nowMs = Date.now(),
}: ReceivedCall): Promise<VerifiedCall> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signature || !/^\d{1,11}$/.test(timestamp))
    throw new WebhookError('no-signature', 'it has no webhook-id, webhook-timestamp or webhook-signature')
  const atMs = Number(timestamp) * 1000
  if (atMs < nowMs - toleranceMs)
    throw new WebhookError('too-old', 'its webhook-timestamp is too old: somebody may send it again')
  if (atMs > nowMs + toleranceMs)
    throw new WebhookError('too-new', 'its webhook-timestamp is in the future: compare the clocks')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await holds(signature, signed, secrets)))
    throw new WebhookError('wrong-signature', 'its signature is not of this body by a secret that is known here')
  return { id, atMs, data: readJson(bytes) }
}

async function holds(
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => fromBase64(each.slice('v1,'.length)))
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    // takes the same time however much of it is right
    for (const each of given) if (each && (await crypto.subtle.verify('HMAC', key, each, signed))) return true
  }
  return false
}

/** @throws TypeError when this is no secret of the fleet */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined
  if (!bytes?.length) throw new TypeError(`a secret of the fleet begins with ${prefix} and goes on in base64`)
  return bytes
}

function headerOf(headers: CallHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Record<string, string | undefined>)[name]
  return typeof value === 'string' ? value : undefined
}

function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof data === 'object' && data !== null) return data as Readonly<Record<string, unknown>>
  } catch {}
  throw new WebhookError('no-json', 'its body is no JSON object')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
