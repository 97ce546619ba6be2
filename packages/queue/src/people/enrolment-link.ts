/**
 * A link to a page that shows the code of one person: the code itself, its channel and its end, signed with the secret of the fleet. It is good as
 * long as the code, and nothing is kept for it. What is not signed so is read no further: codes cannot be guessed by opening pages.
 */
import { createHmac } from 'node:crypto'
import { isCode } from '@courier-fleet/api-types'
import { isSameSecret } from '@courier-fleet/process'
import { oneClickSecret, type Redis } from '@courier-fleet/store'

export interface EnrolmentLink {
  readonly channel: string
  readonly code: string
  /** Unix ms */
  readonly expiresMs: number
}

const signatureLength = 22
const tokenPattern = /^([a-z][a-z0-9]{1,15})\.(\d{1,20})\.([0-9a-z]{1,11})\.([\w-]{22})$/

/** @returns what stands behind `/e/` */
export async function enrolmentLinkSigner(redis: Redis): Promise<(link: EnrolmentLink) => string> {
  const secret = await oneClickSecret(redis)
  return (link) => {
    const said = saidOf(link)
    return `${said}.${signatureOf(secret, said)}`
  }
}

/** @returns undefined for what the fleet has not made, and what has lapsed */
export async function readEnrolmentLink(
  redis: Redis,
  token: string,
  nowMs: number,
): Promise<EnrolmentLink | undefined> {
  const [, channel = '', code = '', end = '', signature] = tokenPattern.exec(token) ?? []
  if (signature === undefined || !isCode(code)) return undefined
  const link = { channel, code, expiresMs: Number.parseInt(end, 36) }
  const isOurs = isSameSecret(signature, signatureOf(await oneClickSecret(redis), saidOf(link)))
  return isOurs && link.expiresMs > nowMs ? link : undefined
}

const saidOf = ({ channel, code, expiresMs }: EnrolmentLink) => [channel, code, expiresMs.toString(36)].join('.')

const signatureOf = (secret: string, said: string) =>
  createHmac('sha256', secret).update(`enrolment ${said}`).digest('base64url').slice(0, signatureLength)
