/**
 * What a message is known by where its provider gives it no id, or has not yet. Each of somebody's contacts has another: what is told of
 * one of them must not be taken for the other's. With the same secret it is the same on every resend.
 */
import { createHmac } from 'node:crypto'

/** it only has to tell the few contacts of one person apart */
const digestLength = 8

/** @param secret keeps the number, which has few digits, out of what receipts show. @returns letters, digits, - and _ */
export function referenceOf(secret: Buffer, key: bigint, address: string): string {
  const digest = createHmac('sha256', secret).update(`${key} ${address}`).digest('base64url')
  return `${key.toString(36)}-${digest.slice(0, digestLength)}`
}
