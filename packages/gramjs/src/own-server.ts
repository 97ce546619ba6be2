/** Makes gramjs connect to another data centre than Telegram's: its address, and the RSA key it is known by. */
import { createHash, createPublicKey } from 'node:crypto'
import bigInt from 'big-integer'
import { _serverKeys } from 'telegram/crypto/RSA.js'
import { PromisedNetSockets } from 'telegram/extensions/index.js'
import { serializeBytes } from 'telegram/tl/generationHelpers.js'
import type { TelegramServer } from './account.ts'
import { insideSocket } from './gramjs-internals.ts'

/** gramjs keeps the keys it trusts in one table for the whole process. */
export function trustServer({ publicKey }: TelegramServer): void {
  const { n, e } = createPublicKey(publicKey).export({ format: 'jwk' }) as { n: string; e: string }
  const modulus = Buffer.from(n, 'base64url')
  const exponent = Buffer.from(e, 'base64url')
  const inTl = Buffer.concat([serializeBytes(modulus), serializeBytes(exponent)])
  const fingerprint = createHash('sha1').update(inTl).digest().readBigInt64LE(12)
  _serverKeys.set(String(fingerprint), {
    n: bigInt(modulus.toString('hex'), 16),
    e: exponent.readUIntBE(0, exponent.length),
  })
}

export interface Sockets {
  /** for gramjs, which makes one whenever it connects */
  readonly Socket: typeof PromisedNetSockets
  /** gramjs forgets sockets that are still connecting */
  closeAll(): void
}

/** Sockets that go to the given server, or where gramjs wants to when there is none; without Nagle's delay. */
export function createSockets(server: TelegramServer | undefined): Sockets {
  const open = new Set<PromisedNetSockets>()
  class Socket extends PromisedNetSockets {
    override async connect(port: number, ip: string): Promise<unknown> {
      open.add(this)
      const connected = await super.connect(server?.port ?? port, server?.host ?? ip)
      insideSocket(this).client?.setNoDelay(true)
      return connected
    }

    override async close(): Promise<void> {
      open.delete(this)
      await super.close()
    }
  }
  return {
    Socket,
    closeAll() {
      for (const socket of open) void socket.close()
    },
  }
}
