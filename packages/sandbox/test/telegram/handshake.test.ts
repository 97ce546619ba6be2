import { constants, publicEncrypt, randomBytes } from 'node:crypto'
import { encryptIge } from '@cryptography/aes'
import { expect } from 'chai'
import { openAuthKeys } from '../../src/telegram/auth-keys.ts'
import { sha1, sha256, xor } from '../../src/telegram/crypto.ts'
import { DhGroup } from '../../src/telegram/dh.ts'
import { Handshake, HandshakeError } from '../../src/telegram/handshake.ts'
import { encode, type TlObject } from '../../src/telegram/tl/codec.ts'
import { coreSchema } from '../../src/telegram/tl/core-schema.ts'

const group = new DhGroup()

describe('telegram-dc: the handshake', () => {
  const keys = openAuthKeys()
  const rsa = (block: Buffer) => publicEncrypt({ key: keys.rsa.publicPem, padding: constants.RSA_NO_PADDING }, block)

  /** SHA-1, the data and random bytes: how clients padded before 2021 */
  const oldPadding = (data: Buffer) => {
    const hashed = Buffer.concat([sha1(data), data])
    return rsa(Buffer.concat([Buffer.alloc(1), hashed, randomBytes(255 - hashed.length)]))
  }
  /** RSA_PAD of core.telegram.org/mtproto/auth_key */
  const newPadding = (data: Buffer): Buffer => {
    const padded = Buffer.concat([data, randomBytes(192 - data.length)])
    const key = randomBytes(32)
    const withHash = Buffer.concat([Buffer.from(padded).reverse(), sha256(key, padded)])
    const encrypted = encryptIge({ key, iv: Buffer.alloc(32) }, withHash)
    const block = Buffer.concat([xor(key, sha256(encrypted)), encrypted])
    // has to be below the modulus, whose first byte is at least 0x80
    return (block[0] as number) < 0x80 ? rsa(block) : newPadding(data)
  }

  function begin() {
    const handshake = new Handshake(keys, group)
    const nonce = randomBytes(16)
    const resPq = handshake.answer({ _: 'req_pq_multi', nonce })
    const [p, q] = factors(resPq.pq as Buffer)
    const inner = {
      _: 'p_q_inner_data_dc',
      pq: resPq.pq,
      p,
      q,
      nonce,
      server_nonce: resPq.server_nonce,
      new_nonce: randomBytes(32),
      dc: 2,
    }
    const request = (more: Partial<TlObject>) => ({
      _: 'req_DH_params',
      nonce,
      server_nonce: resPq.server_nonce,
      p,
      q,
      public_key_fingerprint: keys.rsa.fingerprint,
      ...more,
    })
    return { handshake, request, data: encode(coreSchema, inner).done() }
  }

  for (const [name, pad] of Object.entries({ RSA_PAD: newPadding, 'SHA-1': oldPadding })) {
    it(`understands ${name} padding`, () => {
      const { handshake, request, data } = begin()
      const answer = handshake.answer(request({ encrypted_data: pad(data) }))
      expect(answer._).to.equal('server_DH_params_ok')
    })
  }

  it('refuses what does not belong to it', () => {
    const wrong: Partial<TlObject>[] = [
      { nonce: randomBytes(16) },
      { server_nonce: randomBytes(16) },
      { p: Buffer.from([3]) },
      { public_key_fingerprint: 1n },
    ]
    for (const more of wrong) {
      const { handshake, request, data } = begin()
      expect(() => handshake.answer(request({ encrypted_data: newPadding(data), ...more }))).to.throw(HandshakeError)
    }
    expect(() => new Handshake(keys, group).answer({ _: 'set_client_DH_params' })).to.throw(HandshakeError)
    expect(() => new Handshake(keys, group).answer({ _: 'ping', ping_id: 1n })).to.throw(HandshakeError)
  })
})

/** Both factors have 24 bits, so their product is exact in a double. */
function factors(pq: Buffer): [Buffer, Buffer] {
  const product = Number(pq.readBigUInt64BE(0))
  for (let p = Math.floor(Math.sqrt(product)); p > 1; p -= 1)
    if (product % p === 0) return [bytes(p), bytes(product / p)]
  throw new Error('prime')
}

function bytes(value: number): Buffer {
  return Buffer.from(value.toString(16).padStart(6, '0'), 'hex')
}
