/**
 * AES in "infinite garble extension" mode, in which MTProto encrypts (core.telegram.org/mtproto/description): Node's own AES, which
 * has no such mode, a block or a whole text at a time.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'

/** `iv`: the ciphertext block, then the plaintext block, before the first */
export interface IgeKey {
  readonly key: Buffer
  readonly iv: Buffer
}

const blockBytes = 16

/**
 * c[i] = E(p[i] ^ c[i-1]) ^ p[i-1]. With t[i] = c[i] ^ p[i-1] that is t[i] = E(p[i] ^ p[i-2] ^ t[i-1]): CBC over p[i] ^ p[i-2],
 * so the whole of it is one native call.
 * @throws RangeError when these are no whole blocks
 */
export function encryptIge({ key, iv }: IgeKey, plain: Buffer): Buffer {
  requireBlocks(plain)
  const input = Buffer.from(plain)
  for (let at = 16; at < input.length; at += 1) {
    const before = at < 32 ? iv[at] : plain[at - 32]
    input[at] = (input[at] as number) ^ (before as number)
  }
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv.subarray(0, 16)).setAutoPadding(false)
  const output = cipher.update(input)
  for (let at = 0; at < output.length; at += 1) {
    const before = at < 16 ? iv[16 + at] : plain[at - 16]
    output[at] = (output[at] as number) ^ (before as number)
  }
  return output
}

/**
 * p[i] = D(c[i] ^ p[i-1]) ^ c[i-1]: each block needs the one before, so it goes block by block.
 * @throws RangeError when these are no whole blocks
 */
export function decryptIge({ key, iv }: IgeKey, encrypted: Buffer): Buffer {
  requireBlocks(encrypted)
  const decipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
  const plain = Buffer.alloc(encrypted.length)
  const block = Buffer.alloc(blockBytes)
  let plainBefore = iv.subarray(16, 32)
  let cipherBefore = iv.subarray(0, 16)
  for (let at = 0; at < encrypted.length; at += blockBytes) {
    for (let k = 0; k < blockBytes; k += 1) block[k] = (encrypted[at + k] as number) ^ (plainBefore[k] as number)
    const decrypted = decipher.update(block)
    for (let k = 0; k < blockBytes; k += 1) plain[at + k] = (decrypted[k] as number) ^ (cipherBefore[k] as number)
    plainBefore = plain.subarray(at, at + blockBytes)
    cipherBefore = encrypted.subarray(at, at + blockBytes)
  }
  return plain
}

function requireBlocks({ length }: Buffer): void {
  if (length % blockBytes !== 0) throw new RangeError(`AES takes blocks of ${blockBytes} bytes, not ${length} bytes`)
}
