/** A message's own id with a signature, for what strangers may send back: no one else can make one. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '@courier-fleet/process'

const signatureLength = 20

/** In lower-case letters and digits: some mail systems lower the case of addresses. */
export function signId(secret: Buffer, id: string): string {
  return `${id}.${signatureOf(secret, id)}`
}

/** @returns the id; undefined when the signature is not ours */
export function readSignedId(secret: Buffer, signed: string): string | undefined {
  const [id = '', signature = ''] = signed.toLowerCase().split('.')
  return isSameSecret(signature, signatureOf(secret, id)) ? id : undefined
}

const signatureOf = (secret: Buffer, id: string) =>
  createHmac('sha256', secret).update(id).digest('hex').slice(0, signatureLength)
