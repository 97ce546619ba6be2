/** A call as a receiver reads it: what it says, and whether it is from whom the receiver believes it to be. */
import type { IncomingMessage } from 'node:http'
import { verifyWebhook, WebhookError } from '@courier-fleet/client'
import type { Signature } from '../stand-in.ts'

const maxBodyBytes = 1024 * 1024

export class BodyTooLarge extends Error {}

/** @throws BodyTooLarge */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** @param secrets those that the receiver was given; without any nothing can be verified */
export async function signatureOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  body: string,
  secrets: readonly string[],
): Promise<Signature> {
  if (secrets.length === 0) return headers['webhook-signature'] === undefined ? 'no-signature' : 'unchecked'
  try {
    await verifyWebhook({ headers, body, secrets })
    return 'valid'
  } catch (error) {
    if (error instanceof WebhookError) return error.code
    throw error
  }
}

/** What a person would read of it: the text of a message, and of everything else the body itself. */
export function textOf(body: string): string {
  const said = fieldsOf(body)
  return typeof said.text === 'string' ? said.text : body
}

/** The same, with what else is meant for the receiver. */
export function shownTextOf(body: string): string {
  const { text, data, ...others } = fieldsOf(body)
  if (typeof text !== 'string') return Object.keys(others).length === 0 ? body : JSON.stringify(others, null, 1)
  return data === undefined ? text : `${text}\n${JSON.stringify(data, null, 1)}`
}

export interface Change {
  /** ids of what the receiver has of the message */
  readonly replaces: readonly string[]
  readonly isRecall: boolean
}

/** What is to become of a message that the receiver has; undefined of a message. */
export function changeIn(body: string): Change | undefined {
  const { type } = fieldsOf(body)
  if (type !== 'corrected' && type !== 'recalled') return undefined
  return { replaces: replacedIn(body), isRecall: type === 'recalled' }
}

/** Ids under which the receiver may have what is said anew, or not any more. */
export function replacedIn(body: string): readonly string[] {
  const { replaces } = fieldsOf(body)
  return Array.isArray(replaces) ? replaces.map(String) : []
}

export interface Version {
  readonly history: string
  readonly number: number
}

/** Which text of a message this is about; undefined where it says of none. */
export function versionIn(body: string): Version | undefined {
  const { history, version = 1 } = fieldsOf(body)
  return typeof history === 'string' && typeof version === 'number' ? { history, number: version } : undefined
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = JSON.parse(body)
    return typeof said === 'object' && said !== null ? (said as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
