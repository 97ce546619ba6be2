/** Diffie-Hellman over Telegram's group. */
import { createDiffieHellman, type DiffieHellman, randomBytes } from 'node:crypto'

/** Telegram's own 2048-bit safe prime, for which 3 is a generator: clients know it and need not prove it. */
export const dhPrime = Buffer.from(
  'c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543' +
    'aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b' +
    '378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1' +
    '178d169c6bc465b0d6ff9ca3928fef5b9ae4e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee' +
    '2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b',
  'hex',
)
export const dhGenerator = 3

export interface DhPair {
  /** 256 bytes */
  readonly publicKey: Buffer
  /** 256 bytes */
  secretWith(theirPublicKey: Buffer): Buffer
}

/** Node checks the prime each time a DiffieHellman is made (0.2 s): one serves all handshakes, made when first needed. */
export class DhGroup {
  #shared: DiffieHellman | undefined

  newPair(): DhPair {
    this.#shared ??= createDiffieHellman(dhPrime, dhGenerator)
    const dh = this.#shared
    const privateKey = randomBytes(256)
    dh.setPrivateKey(privateKey)
    return {
      publicKey: padTo256(dh.generateKeys()),
      secretWith(theirPublicKey) {
        dh.setPrivateKey(privateKey)
        return padTo256(dh.computeSecret(theirPublicKey))
      },
    }
  }
}

function padTo256(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(256 - bytes.length), bytes])
}
