/**
 * What a button or a link carries that confirms a message: which message and whose, signed, in less than the 64 bytes that Telegram allows. It names
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
  return (confirmation) => tokenOf(confirmation, signatureOf(secret, confirmation))
}

/** @returns undefined for what the fleet has not made, and of a message that is not kept any more */
export async function readConfirmToken(redis: Redis, token: string): Promise<Confirmation | undefined> {
  const read = await readToken(redis, token)
  return read && isSameSecret(read.signature, signatureOf(read.secret, read)) ? read : undefined
}

/** For links in mail: whoever follows one says nothing of who they are, so it is good for the mailbox it was sent to alone, and no button is. */
export async function confirmLinkSigner(
  redis: Redis,
): Promise<(confirmation: Confirmation, address: string) => string> {
  const secret = await oneClickSecret(redis)
  return (confirmation, address) => tokenOf(confirmation, signatureOf(secret, confirmation, address))
}

/** What a link names, and whether it was made for this mailbox: before that is known nothing is to be believed. */
export interface ConfirmLink extends Confirmation {
  isOf(address: string): boolean
}

export async function readConfirmLink(redis: Redis, token: string): Promise<ConfirmLink | undefined> {
  const read = await readToken(redis, token)
  if (!read) return undefined
  const { ref, ordinal, secret, signature } = read
  return { ref, ordinal, isOf: (address) => isSameSecret(signature, signatureOf(secret, read, address)) }
}

const tokenOf = ({ ref, ordinal }: Confirmation, signature: string) =>
  [ref.shard, digestOfMember(ref), ordinal.toString(36), signature].join('.')

/** Nothing of it is proved yet. */
async function readToken(redis: Redis, token: string) {
  const [, shard = '', digest = '', place = '', signature] = tokenPattern.exec(token) ?? []
  if (signature === undefined) return undefined
  const [member, secret] = await Promise.all([redis.get(keys.confirmOf(shard, digest)), oneClickSecret(redis)])
  if (member === null) return undefined
  return { ref: refOfMember(shard, member), ordinal: Number.parseInt(place, 36), secret, signature }
}

const signatureOf = (secret: string, { ref, ordinal }: Confirmation, address?: string) =>
  createHmac('sha256', secret)
    .update(`confirm ${historyKeyOf(ref)} ${ordinal}${address === undefined ? '' : ` ${address}`}`)
    .digest()
    .subarray(0, signedBytes)
    .toString('base64url')
