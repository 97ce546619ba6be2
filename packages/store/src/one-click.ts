/**
 * One-click addresses of mail (RFC 8058): what a mail program posts to, on behalf of whoever has the mailbox. The address alone says
 * who does not want what any more, so it is signed with a secret of the fleet, which couriers and the queue share through Redis.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type HistoryKey, idPattern } from '@courier-fleet/api-types'
import { isSameSecret } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'

/** What a message offers to end. */
export interface OneClick {
  readonly person: string
  readonly type: string
  /** of the message that says so */
  readonly history: HistoryKey
  /** the mailbox: another one of the same person is not meant */
  readonly address: string
}

/** As it stands in an address: of the mailbox only a digest. */
export type OneClickRead = Omit<OneClick, 'address'> & { readonly mailbox: string }

const secretBytes = 32
const signatureLength = 22
const digestLength = 16
/** longer than any that was ever made */
const maxPathLength = 400

/** Made by whoever is first, and kept: an address works as long as the message lies in a mailbox. */
export async function oneClickSecret(redis: Redis): Promise<string> {
  await redis.set(keys.oneClickSecret, randomBytes(secretBytes).toString('base64url'), 'NX')
  return (await redis.get(keys.oneClickSecret)) as string
}

/** What stands behind `/u/`; nobody else can make one. */
export function oneClickPath(secret: string, { person, type, history, address }: OneClick): string {
  const said = [type, history, person, mailboxOf(address)].join('/')
  return `${said}/${signatureOf(secret, said)}`
}

/** oneClickPath() with the secret of the fleet. */
export async function oneClickSigner(redis: Redis): Promise<(offer: OneClick) => string> {
  const secret = await oneClickSecret(redis)
  return (offer) => oneClickPath(secret, offer)
}

/** @returns undefined for what the fleet has not made */
export function readOneClickPath(secret: string, path: string): OneClickRead | undefined {
  if (path.length > maxPathLength) return undefined
  const end = path.lastIndexOf('/')
  const [said, signature] = [path.slice(0, Math.max(0, end)), path.slice(end + 1)]
  if (!isSameSecret(signature, signatureOf(secret, said))) return undefined
  const [type = '', history = '', person = '', mailbox = ''] = said.split('/')
  return idPattern.test(type) && idPattern.test(person)
    ? { type, history: history as HistoryKey, person, mailbox }
    : undefined
}

/** The mailbox that was meant, and not another one that its person has linked since. */
export const isOneClickOf = ({ mailbox }: OneClickRead, address: string): boolean => mailbox === mailboxOf(address)

const mailboxOf = (address: string) => createHash('sha256').update(address).digest('base64url').slice(0, digestLength)

const signatureOf = (secret: string, said: string) =>
  createHmac('sha256', secret).update(`one-click ${said}`).digest('base64url').slice(0, signatureLength)
