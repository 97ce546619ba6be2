/** The RSA key by which clients know the DC. */
import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { sha1 } from './crypto.ts'
import { Writer } from './tl/bytes.ts'

export interface RsaKey {
  /** PKCS#1 PEM */
  readonly publicPem: string
  readonly privatePem: string
  /** the low 64 bits of the SHA-1 of the key in TL */
  readonly fingerprint: bigint
  /** 256 bytes in, 256 bytes out, no padding removed */
  decrypt(data: Buffer): Buffer
}

export function generateRsaKey(): RsaKey {
  return rsaKeyOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
}

export function parseRsaKey(privatePem: string): RsaKey {
  return rsaKeyOf(createPrivateKey(privatePem))
}

function rsaKeyOf(privateKey: KeyObject): RsaKey {
  const publicKey = createPublicKey(privateKey)
  const { n, e } = publicKey.export({ format: 'jwk' })
  const inTl = new Writer().bytes(Buffer.from(n as string, 'base64url')).bytes(Buffer.from(e as string, 'base64url'))
  return {
    publicPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    fingerprint: sha1(inTl.done()).readBigInt64LE(12),
    decrypt: (data) => privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, data),
  }
}
