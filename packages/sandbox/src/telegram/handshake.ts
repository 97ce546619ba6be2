/**
 * How client and server agree on an auth key (core.telegram.org/mtproto/auth_key), the server's part, one connection's worth.
 * Both ways of padding the RSA block are understood: RSA_PAD, and SHA-1 + data + random of clients from before 2021.
 */
import { generatePrimeSync, randomBytes } from 'node:crypto'
import { decryptIge, encryptIge, type IgeKey } from '@cryptography/aes'
import type { AuthKeys } from './auth-keys.ts'
import { handshakeIgeKey, sha1, sha256, xor } from './crypto.ts'
import { type DhGroup, type DhPair, dhGenerator, dhPrime } from './dh.ts'
import { Reader } from './tl/bytes.ts'
import { decodeObject, encode, type TlObject } from './tl/codec.ts'
import { coreSchema } from './tl/core-schema.ts'

/** Telegram's factors have 31 bits; these cost the client less and prove the same. */
const factorBits = 24

/** What the client sent does not belong to this handshake; the answer is the transport error -404. */
export class HandshakeError extends Error {}

type State =
  | { readonly step: 'idle' }
  | { readonly step: 'factoring'; readonly nonce: Buffer; readonly serverNonce: Buffer; readonly factors: Factors }
  | {
      readonly step: 'exchanging'
      readonly nonce: Buffer
      readonly serverNonce: Buffer
      readonly newNonce: Buffer
      readonly ige: IgeKey
      readonly pair: DhPair
    }

interface Factors {
  readonly p: bigint
  readonly q: bigint
}

export class Handshake {
  readonly #keys: AuthKeys
  readonly #group: DhGroup
  #state: State = { step: 'idle' }

  constructor(keys: AuthKeys, group: DhGroup) {
    this.#keys = keys
    this.#group = group
  }

  /** @throws HandshakeError */
  answer(request: TlObject): TlObject {
    switch (request._) {
      case 'req_pq':
      case 'req_pq_multi':
        return this.#begin(request.nonce as Buffer)
      case 'req_DH_params':
        return this.#exchange(request)
      case 'set_client_DH_params':
        return this.#finish(request)
      default:
        throw new HandshakeError(`${request._} has to be encrypted`)
    }
  }

  #begin(nonce: Buffer): TlObject {
    const factors = randomFactors()
    const serverNonce = randomBytes(16)
    this.#state = { step: 'factoring', nonce, serverNonce, factors }
    return {
      _: 'resPQ',
      nonce,
      server_nonce: serverNonce,
      pq: bytesOf(factors.p * factors.q),
      server_public_key_fingerprints: [this.#keys.rsa.fingerprint],
    }
  }

  #exchange(request: TlObject): TlObject {
    const state = this.#state
    if (state.step !== 'factoring') throw new HandshakeError('req_DH_params before req_pq')
    const { nonce, serverNonce, factors } = state
    requireNonces(state, request)
    if (bigintOf(request.p as Buffer) !== factors.p || bigintOf(request.q as Buffer) !== factors.q) {
      throw new HandshakeError('wrong factors')
    }
    if (request.public_key_fingerprint !== this.#keys.rsa.fingerprint) throw new HandshakeError('unknown RSA key')
    const inner = unpadRsa(this.#keys.rsa.decrypt(request.encrypted_data as Buffer))
    requireNonces(state, inner)

    const newNonce = inner.new_nonce as Buffer
    const ige = handshakeIgeKey(newNonce, serverNonce)
    const pair = this.#group.newPair()
    this.#state = { step: 'exchanging', nonce, serverNonce, newNonce, ige, pair }
    const answer = encode(coreSchema, {
      _: 'server_DH_inner_data',
      nonce,
      server_nonce: serverNonce,
      g: dhGenerator,
      dh_prime: dhPrime,
      g_a: pair.publicKey,
      server_time: Math.floor(Date.now() / 1000),
    }).done()
    const hashed = Buffer.concat([sha1(answer), answer])
    const padded = Buffer.concat([hashed, randomBytes((16 - (hashed.length % 16)) % 16)])
    return { _: 'server_DH_params_ok', nonce, server_nonce: serverNonce, encrypted_answer: encryptIge(ige, padded) }
  }

  #finish(request: TlObject): TlObject {
    const state = this.#state
    if (state.step !== 'exchanging') throw new HandshakeError('set_client_DH_params before req_DH_params')
    requireNonces(state, request)
    const { nonce, serverNonce, newNonce, ige, pair } = state
    const inner = unhash(decryptIge(ige, request.encrypted_data as Buffer))
    requireNonces(state, inner)
    const key = pair.secretWith(inner.g_b as Buffer)
    const salt = xor(newNonce.subarray(0, 8), serverNonce.subarray(0, 8)).readBigInt64LE(0)
    this.#keys.add(key, salt)
    this.#state = { step: 'idle' }
    const hash = sha1(newNonce, Buffer.from([1]), sha1(key).subarray(0, 8)).subarray(4, 20)
    return { _: 'dh_gen_ok', nonce, server_nonce: serverNonce, new_nonce_hash1: hash }
  }
}

function requireNonces(state: { nonce: Buffer; serverNonce: Buffer }, message: TlObject): void {
  const { nonce, server_nonce: serverNonce } = message
  if (!state.nonce.equals(nonce as Buffer) || !state.serverNonce.equals(serverNonce as Buffer)) {
    throw new HandshakeError('wrong nonce')
  }
}

/** RSA_PAD: key ^ SHA-256(cipher), cipher = IGE(key, reversed data ‖ SHA-256(key ‖ data)). */
function unpadRsa(block: Buffer): TlObject {
  const encrypted = block.subarray(32)
  const key = xor(block.subarray(0, 32), sha256(encrypted))
  const withHash = decryptIge({ key, iv: Buffer.alloc(32) }, encrypted)
  const data = Buffer.from(withHash.subarray(0, 192)).reverse()
  if (sha256(key, data).equals(withHash.subarray(192))) return decodeObject(coreSchema, new Reader(data))
  return unhash(block.subarray(1))
}

/** SHA-1 ‖ data ‖ padding */
function unhash(bytes: Buffer): TlObject {
  const reader = new Reader(bytes, 20)
  const object = decodeObject(coreSchema, reader)
  if (!sha1(bytes.subarray(20, reader.offset)).equals(bytes.subarray(0, 20))) throw new HandshakeError('wrong hash')
  return object
}

/** p < q, so that there is one right answer */
function randomFactors(): Factors {
  const a = generatePrimeSync(factorBits, { bigint: true })
  const b = generatePrimeSync(factorBits, { bigint: true })
  if (a === b) return randomFactors()
  return a < b ? { p: a, q: b } : { p: b, q: a }
}

/** Eight bytes, as Telegram's: clients read them as a signed number. */
function bytesOf(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

function bigintOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex') || '0'}`)
}
