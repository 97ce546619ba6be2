/**
 * The AES of Telegram's clients. gramjs (`telegram`) takes it from `@cryptography/aes`, which is GPL-3.0. This package bears that name, so
 * npm gives gramjs this one, and has its form: keys and results in words of 32 bits, the highest byte first.
 */
import { createCipheriv } from 'node:crypto'
import { decryptIge, encryptIge, type IgeKey } from './ige.ts'

export { decryptIge, encryptIge, type IgeKey }

/** Each call begins with the iv anew. */
export class IGE {
  readonly #key: IgeKey

  constructor(key: Buffer, iv: Buffer) {
    this.#key = { key, iv }
  }

  encrypt(plain: Buffer): Uint32Array {
    return wordsOf(encryptIge(this.#key, plain))
  }

  decrypt(encrypted: Buffer): Uint32Array {
    return wordsOf(decryptIge(this.#key, encrypted))
  }
}

/** A block at a time: gramjs makes its counter mode of it, for proxies. */
export default class AES {
  readonly #key: Buffer

  constructor(key: Uint32Array) {
    this.#key = bytesOf(key)
  }

  encrypt(block: Uint32Array): Uint32Array {
    const cipher = createCipheriv(`aes-${this.#key.length * 8}-ecb`, this.#key, null).setAutoPadding(false)
    return wordsOf(cipher.update(bytesOf(block)))
  }
}

function wordsOf(bytes: Buffer): Uint32Array {
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
}

function bytesOf(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, index * 4)
  return bytes
}
