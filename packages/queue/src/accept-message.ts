/** From a validated body to an accepted message. */
import {
  type Acceptance,
  type Clock,
  type Histories,
  type HistoryRef,
  type HistoryView,
  historyKeyOf,
  keys,
  type MessageBody,
  Problem,
  packAudience,
} from '@courier-fleet/core'
import type { Directory } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'
import type { Caller } from './callers.ts'
import { digestOf } from './canonical-json.ts'
import type { Metrics } from './metrics.ts'
import type { Quota } from './quota.ts'
import { dueOf, expiryOf } from './times.ts'

export interface Offer {
  readonly ref: HistoryRef
  /** true when the key must have been issued before */
  readonly issued: boolean
  /** true when the key can have been used before; a new key spares the look */
  readonly repeatable: boolean
  readonly body: MessageBody
  readonly by: Caller
}

/**
 * Accepts a message; the same offer again changes nothing, even when the directory is another by now or `at` has passed.
 * @returns created: false for a repeat; quotaLeft: what the sender may still send today, where there is a limit
 * @throws Problem 403 · 404 `unknown-key` · 409 `another-body` `audience-mismatch` · 422 · 429 `quota`
 */
export type AcceptMessage = (offer: Offer) => Promise<{ created: boolean; quotaLeft?: number | undefined }>

export function createAcceptMessage(deps: {
  redis: Redis
  histories: Histories
  directory: Directory
  quota: Quota
  clock: Clock
  metrics: Metrics
}): AcceptMessage {
  const { redis, histories, directory, quota, clock, metrics } = deps

  /** Unless another call has put another body under this key meanwhile: that one counts. */
  async function giveBack(ref: HistoryRef): Promise<void> {
    if (!(await redis.hexists(keys.history(ref), 'digest'))) await quota.giveBack(ref)
  }

  return async ({ ref, issued, repeatable, body, by }) => {
    const digest = digestOf(body)
    if (repeatable) {
      const known = await redis.hget(keys.history(ref), 'digest')
      if (known === digest) return { created: false, quotaLeft: (await quota.limits(by)).left ?? undefined }
      if (known) throw new Problem(409, 'another-body', 'another message was accepted under this key', 'key')
    }
    const now = clock.now()
    const dueMs = dueOf(body.at, now)
    const expiresMs = expiryOf(body.expires, dueMs, now)
    const audience = await directory.expand(body.to, by)
    if (audience.length === 0) throw new Problem(422, 'empty-audience', 'nobody is in this audience', 'to')
    if (body.expect) refuseMismatch(body.expect, audience)

    const source = by.source ?? body.source
    const quotaLeft = await quota.reserve(ref, by)
    const putting = histories.put({
      ref,
      issued,
      digest,
      source,
      text: body.text,
      to: body.to,
      ...(body.channels ? { channels: body.channels } : {}),
      class: body.class,
      audience,
      dueMs,
      expiresMs,
    })
    const { created } = await putting.catch(async (error: unknown) => {
      if (isRefusal(error)) await giveBack(ref)
      throw error
    })
    if (created) metrics.accepted.inc({ source, class: body.class })
    return { created, quotaLeft }
  }
}

/** It was certainly not accepted, and will not be. */
const isRefusal = (error: unknown) => error instanceof Problem && error.status < 500

function refuseMismatch(expect: NonNullable<MessageBody['expect']>, audience: readonly string[]): void {
  if (expect.size !== undefined && expect.size !== audience.length) {
    const detail = `the audience has ${audience.length} people, not ${expect.size}`
    throw new Problem(409, 'audience-mismatch', detail, 'expect.size')
  }
  if (expect.sha256 === undefined) return
  const { sha256 } = packAudience(audience)
  if (sha256 === expect.sha256) return
  const detail = `the audience (${audience.length} people) has the SHA-256 ${sha256}, not ${expect.sha256}`
  throw new Problem(409, 'audience-mismatch', detail, 'expect.sha256')
}

/** @throws Problem 404 when there is no such history */
export async function readHistory(histories: Histories, ref: HistoryRef): Promise<HistoryView> {
  const view = await histories.get(ref)
  if (!view) throw new Problem(404, 'unknown-key', 'there is no history with this key', 'key')
  return view
}

/** @throws Problem 404 when nothing was put under this key */
export async function readAcceptance(histories: Histories, ref: HistoryRef): Promise<Acceptance> {
  const { audience, at, expires, acceptedAt } = await readHistory(histories, ref)
  if (!audience || !at || !expires || !acceptedAt) {
    throw new Problem(404, 'unknown-key', 'nothing was put under this key', 'key')
  }
  return { key: historyKeyOf(ref), audience, at, expires, acceptedAt }
}
