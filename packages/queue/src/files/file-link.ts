/** Links of files: `/f/<id>?e=<end>&s=<signature>`. Whoever has one may read the file until its end; nobody else can make one. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '@courier-fleet/process'

/** 96 bits */
const signatureLength = 16
const secondMs = 1000

export interface FileLink {
  readonly id: string
  /** as it stands in the link: seconds since 1970, to base 36 */
  readonly end: string
  readonly signature: string
}

/** A whole second: what a link says is what is kept. */
export const wholeSecond = (ms: number) => Math.ceil(ms / secondMs) * secondMs

/** @param untilMs of a whole second */
export function linkOf(
  { publicUrl, secret }: { publicUrl: string; secret: string },
  id: string,
  untilMs: number,
): string {
  const end = (untilMs / secondMs).toString(36)
  return `${publicUrl}/f/${id}?e=${end}&s=${signatureOf(secret, id, end)}`
}

/** @returns until when it is good, Unix ms; undefined for one that the fleet has not made */
export function endOfLink(secret: string, { id, end, signature }: FileLink): number | undefined {
  return isSameSecret(signature, signatureOf(secret, id, end)) ? Number.parseInt(end, 36) * secondMs : undefined
}

const signatureOf = (secret: string, id: string, end: string) =>
  createHmac('sha256', secret).update(`file ${id} ${end}`).digest('base64url').slice(0, signatureLength)
