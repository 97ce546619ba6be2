/** The cryptography of MTProto 2.0 (core.telegram.org/mtproto/description) as the server does it. */
import { createHash, randomBytes } from 'node:crypto'
import { decryptIge, encryptIge, type IgeKey } from '@cryptography/aes'

export function sha1(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] as number)))
}

export type Direction = 'from-client' | 'to-client'

function messageIgeKey(authKey: Buffer, messageKey: Buffer, direction: Direction): IgeKey {
  const x = direction === 'from-client' ? 0 : 8
  const a = sha256(messageKey, authKey.subarray(x, x + 36))
  const b = sha256(authKey.subarray(40 + x, 76 + x), messageKey)
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    iv: Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  }
}

function messageKeyOf(authKey: Buffer, padded: Buffer, direction: Direction): Buffer {
  const x = direction === 'from-client' ? 0 : 8
  return sha256(authKey.subarray(88 + x, 120 + x), padded).subarray(8, 24)
}

/** A packet (auth key id, message key, encrypted data) of what is to be sent. */
export function sealMessage(authKey: Buffer, authKeyId: Buffer, plain: Buffer, direction: Direction): Buffer {
  const padding = 12 + ((16 - ((plain.length + 12) % 16)) % 16)
  const padded = Buffer.concat([plain, randomBytes(padding)])
  const messageKey = messageKeyOf(authKey, padded, direction)
  return Buffer.concat([authKeyId, messageKey, encryptIge(messageIgeKey(authKey, messageKey, direction), padded)])
}

/** What a packet holds, with its padding; undefined when it was not made with this key. */
export function openMessage(authKey: Buffer, packet: Buffer, direction: Direction): Buffer | undefined {
  const messageKey = packet.subarray(8, 24)
  // padded transports append up to 15 bytes
  const encrypted = packet.subarray(24, 24 + ((packet.length - 24) & ~15))
  const padded = decryptIge(messageIgeKey(authKey, messageKey, direction), encrypted)
  return messageKeyOf(authKey, padded, direction).equals(messageKey) ? padded : undefined
}

/** The key both sides use while they agree on an auth key. */
export function handshakeIgeKey(newNonce: Buffer, serverNonce: Buffer): IgeKey {
  const a = sha1(newNonce, serverNonce)
  const b = sha1(serverNonce, newNonce)
  const c = sha1(newNonce, newNonce)
  return {
    key: Buffer.concat([a, b.subarray(0, 12)]),
    iv: Buffer.concat([b.subarray(12, 20), c, newNonce.subarray(0, 4)]),
  }
}

/** MTProto 1.0 keys, still used to bind a temporary key to a permanent one. */
export function bindingIgeKey(authKey: Buffer, messageKey: Buffer): IgeKey {
  const a = sha1(messageKey, authKey.subarray(0, 32))
  const b = sha1(authKey.subarray(32, 48), messageKey, authKey.subarray(48, 64))
  const c = sha1(authKey.subarray(64, 96), messageKey)
  const d = sha1(messageKey, authKey.subarray(96, 128))
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 20), c.subarray(4, 16)]),
    iv: Buffer.concat([a.subarray(8, 20), b.subarray(0, 8), c.subarray(16, 20), d.subarray(0, 8)]),
  }
}
