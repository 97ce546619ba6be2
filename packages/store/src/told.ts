/** What a subscriber has of a resource, and what is on its way to them: as notifiers keep both, and erasures change them. */
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Role } from '@courier-fleet/api-types'

/** A resource as somebody is shown it, field by field: what JSON holds, and null nowhere at its top. */
export type View = Readonly<Record<string, unknown>>

/** What a subscriber has of a resource. */
export interface Told {
  readonly sequence: number
  /** when it was read, Unix ms by Redis's clock */
  readonly atMs: number
  /** null: that there is none */
  readonly view: View | null
  /** the next delivery is of all of it, whatever they have */
  readonly whole?: true
  /**
   * Given where a body that may have arrived is not sent any more: the fields it told of, which they may have otherwise than the view says; and where
   * it is told again that there is none: all there may have been. The next tells every field
   */
  readonly inDoubt?: readonly string[]
}

/** What is on its way: it stays as it is until it has arrived. */
export interface Sending {
  readonly sequence: number
  /** the webhook-id */
  readonly id: string
  readonly createdMs: number
  readonly body: string
  readonly after: View | null
  /** by which it was read: whoever has less of one by now may not be told all of it. Absent of one that an older version has made */
  readonly role?: Role
  readonly whole?: true
  /** how often it has failed */
  readonly tries: number
}

/** What they have where a body is not sent any more that they may have taken: the next has the number after it, and goes by what they are known to have. */
export const toldWithout = (sending: Sending, told: Told | undefined, nowMs: number): Told => ({
  sequence: sending.sequence,
  atMs: nowMs,
  view: told?.view ?? null,
  inDoubt: [...new Set([...Object.keys(sending.after ?? {}), ...(told?.inDoubt ?? [])])],
})

/** As Redis has them. */
export const packTold = (value: Told | Sending): Buffer => gzipSync(JSON.stringify(value))
export const unpackTold = <T extends Told | Sending>(bytes: Buffer): T => JSON.parse(gunzipSync(bytes).toString()) as T
