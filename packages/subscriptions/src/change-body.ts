/** What is posted to a subscriber, as text: what is signed is what is sent. */
import type { ChangeBody } from '@courier-fleet/api-types'

/** Of a longer one only the ids are told: whoever wants it reads the resource. */
const maxBodyBytes = 32 * 1024

export interface Change extends Omit<ChangeBody, 'created'> {
  /** when the change was read, Unix ms */
  readonly createdMs: number
}

export function changeBodyOf({ createdMs, ...change }: Change): string {
  const body: ChangeBody = { ...change, created: new Date(createdMs).toISOString() }
  const text = JSON.stringify(body)
  return Buffer.byteLength(text) <= maxBodyBytes ? text : JSON.stringify({ ...body, diff: null })
}
