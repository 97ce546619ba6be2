/**
 * What a button or a link carries that confirms a message: which message and whose, signed, in less than the 64 bytes that Telegram allows. It names
 * the message by a digest, for a history key may be longer than that, and the signature is of the key itself, and of which of its texts.
 */
import { createHash, createHmac } from 'node:crypto'
import { type HistoryRef, historyKeyOf, memberOf, refOfMember } from '@courier-fleet/api-types'
import { isSameSecret } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { maxVersions } from './history/versions.ts'
import { keys } from './keys.ts'
import { oneClickSecret } from './one-click.ts'

/** Whose confirmation it is: of the person at this place of the audience; and of what: a message that is corrected has another text. */
export interface Confirmation {
  readonly ref: HistoryRef
  readonly ordinal: number
  /** number of the text */
  readonly version: number
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
  const version = read && versionSigned(read)
  return read && version !== undefined ? { ref: read.ref, ordinal: read.ordinal, version } : undefined
}

/** For links in mail: whoever follows one says nothing of who they are, so it is good for the mailbox it was sent to alone, and no button is. */
export async function confirmLinkSigner(
  redis: Redis,
): Promise<(confirmation: Confirmation, address: string) => string> {
  const secret = await oneClickSecret(redis)
  return (confirmation, address) => tokenOf(confirmation, signatureOf(secret, confirmation, address))
}

/** What a link names: before it is known that it was made for this mailbox nothing is to be believed. */
export interface ConfirmLink extends Omit<Confirmation, 'version'> {
  /** of which text it is; undefined where it was not made for this mailbox */
  versionFor(address: string): number | undefined
}

export async function readConfirmLink(redis: Redis, token: string): Promise<ConfirmLink | undefined> {
  const read = await readToken(redis, token)
  if (!read) return undefined
  return { ref: read.ref, ordinal: read.ordinal, versionFor: (address) => versionSigned(read, address) }
}

/** A message has few texts: the token has no room to name one. */
function versionSigned({ secret, signature, ref, ordinal }: Read, address?: string): number | undefined {
  const versions = Array.from({ length: maxVersions }, (_, before) => before + 1)
  return versions.find((version) => isSameSecret(signature, signatureOf(secret, { ref, ordinal, version }, address)))
}

type Read = NonNullable<Awaited<ReturnType<typeof readToken>>>

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

const signatureOf = (secret: string, { ref, ordinal, version }: Confirmation, address?: string) =>
  createHmac('sha256', secret)
    .update(
      `confirm ${historyKeyOf(ref)} ${ordinal}${version === 1 ? '' : `~${version}`}${address === undefined ? '' : ` ${address}`}`,
    )
    .digest()
    .subarray(0, signedBytes)
    .toString('base64url')
