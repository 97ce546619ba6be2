/** Signatures of the specification standard-webhooks 1.0.0. */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

export interface Signed {
  /** the same at every try, and without a full stop */
  readonly id: string
  /** each that is valid, the newest first; a receiver takes the signature it can verify */
  readonly secrets: readonly string[]
  /** of this try */
  readonly atMs: number
  readonly body: string
}

export function signedHeaders({ id, secrets, atMs, body }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
