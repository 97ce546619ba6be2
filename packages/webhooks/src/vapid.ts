/** The key pair by which push services know this fleet (RFC 8292): a browser's subscription takes messages of its owner alone. */
import { createECDH } from 'node:crypto'
import type { Env } from '@courier-fleet/process'
import { derivedKey } from './sealed-secrets.ts'

/** base64url: an uncompressed point of P-256, and a number of 32 bytes */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** of P-256 */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** 128 bits more than the order has: every key is as likely (FIPS 186-5, A.2.1) */
const drawnBytes = 48

/**
 * Made of FLEET_SECRET, so that all processes have the same and nobody has another secret to keep. With another one no subscription
 * made before takes anything any more.
 * @returns undefined without FLEET_SECRET
 */
export function vapidKeys(env: Env): VapidKeys | undefined {
  const drawn = derivedKey(env, 'web push', drawnBytes)
  if (drawn === undefined) return undefined
  const number = (BigInt(`0x${Buffer.from(drawn).toString('hex')}`) % (order - 1n)) + 1n
  const privateKey = Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}
