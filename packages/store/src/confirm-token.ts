/**
 * What a button carries that confirms a message: which message and whose, signed, in less than the 64 bytes that Telegram allows. It names
 * the message by a digest, for a history key may be longer than that, and the signature is of the key itself.
 */
import { createHash, createHmac } from 'node:crypto'
import { type HistoryRef, historyKeyOf, memberOf, refOfMember } from '@courier-fleet/api-types'
import { isSameSecret } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'
import { oneClickSecret } from './one-click.ts'

/** Whose confirmation it is: of the person at this place of the audience. */
export interface Confirmation {
  readonly ref: HistoryRef
  readonly ordinal: number
}

const signedBytes = 8
const tokenPattern = /^(\d{2}|1\d{2}|2[0-4]\d|25[0-5])\.([0-9a-f]{16})\.([0-9a-z]{1,7})\.([\w-]{11})$/

/** As lua/lib/keys.lua computes it. */
export const digestOfMember = (ref: HistoryRef): string =>
  createHash('sha1').update(memberOf(ref)).digest('hex').slice(0, 16)

/** With the secret of the fleet. */
export async function confirmSigner(redis: Redis): Promise<(confirmation: Confirmation) => string> {
  const secret = await oneClickSecret(redis)
  return ({ ref, ordinal }) =>
    [ref.shard, digestOfMember(ref), ordinal.toString(36), signatureOf(secret, ref, ordinal)].join('.')
}

/** @returns undefined for what the fleet has not made, and of a message that is not kept any more */
export async function readConfirmToken(redis: Redis, token: string): Promise<Confirmation | undefined> {
  const [, shard = '', digest = '', place = '', signature] = tokenPattern.exec(token) ?? []
  if (signature === undefined) return undefined
  const [member, secret] = await Promise.all([redis.get(keys.confirmOf(shard, digest)), oneClickSecret(redis)])
  if (member === null) return undefined
  const ref = refOfMember(shard, member)
  const ordinal = Number.parseInt(place, 36)
  return isSameSecret(signature, signatureOf(secret, ref, ordinal)) ? { ref, ordinal } : undefined
}

const signatureOf = (secret: string, ref: HistoryRef, ordinal: number) =>
  createHmac('sha256', secret)
    .update(`confirm ${historyKeyOf(ref)} ${ordinal}`)
    .digest()
    .subarray(0, signedBytes)
    .toString('base64url')
