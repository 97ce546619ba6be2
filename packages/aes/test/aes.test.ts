import { createCipheriv } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { CTR } from 'telegram/crypto/CTR.js'
import { IGE as GramjsIge } from 'telegram/crypto/IGE.js'
import AES, { decryptIge, encryptIge } from '../src/index.ts'

const root = join(import.meta.dirname, '../../..')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((each) => Buffer.from(each))

describe('AES as Telegram needs it', () => {
  /** Ben Laurie, "OpenSSL's Implementation of Infinite Garble Extension", 2006 */
  const published = [
    {
      key: hex('000102030405060708090A0B0C0D0E0F'),
      iv: hex('000102030405060708090A0B0C0D0E0F 101112131415161718191A1B1C1D1E1F'),
      plain: Buffer.alloc(32),
      encrypted: hex('1A8519A6557BE652E9DA8E43DA4EF445 3CF456B4CA488AA383C79C98B34797CB'),
    },
    {
      key: Buffer.from('This is an imple'),
      iv: Buffer.from('mentation of IGE mode for OpenSS'),
      plain: hex('99706487A1CDE613BC6DE0B6F24B1C7A A448C8B9C3403E3467A8CAD89340F53B'),
      encrypted: Buffer.from("L. Let's hope Ben got it right!\n"),
    },
  ]

  for (const [index, { key, iv, plain, encrypted }] of published.entries())
    it(`encrypts and decrypts as published, example ${index + 1}`, () => {
      expect(encryptIge({ key, iv }, plain).toString('hex')).to.equal(encrypted.toString('hex'))
      expect(decryptIge({ key, iv }, encrypted).toString('hex')).to.equal(plain.toString('hex'))
    })

  it('gives back what was encrypted, and the same through gramjs, which begins each call anew', () => {
    const blocks = fc.integer({ min: 1, max: 20 }).chain((count) => bytes(count * 16))
    fc.assert(
      fc.property(bytes(32), bytes(32), blocks, (key, iv, plain) => {
        const encrypted = encryptIge({ key, iv }, plain)
        expect(decryptIge({ key, iv }, encrypted)).to.deep.equal(plain)
        const gramjs = new GramjsIge(key, iv)
        for (let i = 0; i < 2; i += 1) {
          expect(gramjs.encryptIge(plain)).to.deep.equal(encrypted)
          expect(gramjs.decryptIge(encrypted)).to.deep.equal(plain)
        }
      }),
    )
  })

  it('encrypts a block as FIPS 197 says, and counts in gramjs as Node does', () => {
    const key = hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
    const words = (text: string) => Uint32Array.from(text.match(/.{8}/g) ?? [], (word) => Number.parseInt(word, 16))
    const block = new AES(words(key.toString('hex'))).encrypt(words('00112233445566778899aabbccddeeff'))
    expect(block).to.deep.equal(words('8ea2b7ca516745bfeafc49904b496089'))
    const iv = hex('fffffffffffffffffffffffffffffffe')
    const text = Buffer.from('a text of more than two blocks of sixteen bytes')
    expect(new CTR(key, iv).encrypt(text)).to.deep.equal(createCipheriv('aes-256-ctr', key, iv).update(text))
  })

  it('takes whole blocks only', () => {
    const key = { key: Buffer.alloc(32), iv: Buffer.alloc(32) }
    for (const step of [encryptIge, decryptIge])
      expect(() => step(key, Buffer.alloc(17))).to.throw(RangeError, '17 bytes')
  })
})

describe('the licences of what is installed', () => {
  it('ask nothing of whoever passes the fleet on: none is a GPL', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { license?: string }>
    }
    const found = Object.entries(lock.packages).filter(([, { license }]) => license?.includes('GPL'))
    expect(found).to.deep.equal([])
  })

  it('gramjs has our AES', () => {
    const ofGramjs = createRequire(join(root, 'node_modules/telegram/package.json')).resolve('@cryptography/aes')
    expect(realpathSync(ofGramjs).startsWith(join(root, 'packages/aes/'))).to.equal(true)
  })
})
