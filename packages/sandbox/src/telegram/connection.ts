/** One client's connection: packets in, packets out, the handshake in plain text, everything else in a session. */
import type { Socket } from 'node:net'
import { openMessage, sealMessage } from './crypto.ts'
import type { DhGroup } from './dh.ts'
import { PacketStream } from './framing.ts'
import { Handshake, HandshakeError } from './handshake.ts'
import { Session, type SessionDeps } from './session.ts'
import { Reader, Writer } from './tl/bytes.ts'
import { decodeObject, encode } from './tl/codec.ts'
import { coreSchema } from './tl/core-schema.ts'

/** "auth key not found": the client has to make a new one (core.telegram.org/mtproto/mtproto-transports#transport-errors) */
const unknownKey = -404

export interface ConnectionDeps extends Omit<SessionDeps, 'send' | 'cut' | 'expectPingWithin'> {
  readonly group: DhGroup
}

export class Connection {
  readonly #socket: Socket
  readonly #deps: ConnectionDeps
  readonly #stream = new PacketStream()
  readonly #handshake: Handshake
  #pingTimer: NodeJS.Timeout | undefined
  session: Session | undefined

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.#handshake = new Handshake(deps.keys, deps.group)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#data(chunk))
    // a reset is followed by 'close', which is all there is to know
    socket.on('error', () => {})
    socket.on('close', () => clearTimeout(this.#pingTimer))
  }

  cut(): void {
    this.#socket.destroy()
  }

  /** Whatever a client sends, the worst that happens is the end of its own connection. */
  #data(chunk: Buffer): void {
    try {
      for (const packet of this.#stream.push(chunk)) this.#packet(packet)
    } catch (error) {
      this.#deps.log.debug({ reason: (error as Error).message }, 'connection dropped')
      this.cut()
    }
  }

  #packet(packet: Buffer): void {
    if (this.#socket.destroyed || packet.length < 20) return
    if (packet.readBigInt64LE(0) === 0n) this.#plain(packet)
    else this.#encrypted(packet)
  }

  #plain(packet: Buffer): void {
    const request = decodeObject(coreSchema, new Reader(packet, 20))
    if (request._ === 'msgs_ack') return
    try {
      const answer = encode(coreSchema, this.#handshake.answer(request)).done()
      const id = this.#deps.newMessageId('answer')
      this.#write(new Writer().long(0n).long(id).int(answer.length).raw(answer).done())
    } catch (error) {
      if (!(error instanceof HandshakeError)) throw error
      this.#deps.log.debug({ reason: error.message }, 'handshake refused')
      this.#transportError(unknownKey)
    }
  }

  #encrypted(packet: Buffer): void {
    const authKeyId = packet.subarray(0, 8)
    const authKey = this.#deps.keys.get(authKeyId.toString('hex'))
    const plain = authKey && openMessage(authKey.key, packet, 'from-client')
    if (!authKey || !plain) {
      this.#transportError(unknownKey)
      return
    }
    const reader = new Reader(plain)
    const salt = reader.long()
    const sessionId = reader.long()
    const messageId = reader.long()
    const sequence = reader.int()
    const body = reader.raw(reader.int())
    if (this.session?.id !== sessionId || this.session.authKey !== authKey) {
      const id = Buffer.from(authKeyId)
      this.session = new Session(sessionId, authKey, {
        ...this.#deps,
        send: (message) => this.#write(sealMessage(authKey.key, id, message, 'to-client')),
        cut: () => this.cut(),
        expectPingWithin: (seconds) => this.#expectPingWithin(seconds),
      })
      this.session.open(messageId)
    }
    this.session.receive(salt, messageId, sequence, body)
  }

  #expectPingWithin(seconds: number): void {
    clearTimeout(this.#pingTimer)
    this.#pingTimer = setTimeout(() => this.cut(), seconds * 1000)
  }

  #transportError(code: number): void {
    const packet = Buffer.allocUnsafe(4)
    packet.writeInt32LE(code)
    this.#write(packet)
  }

  #write(packet: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(this.#stream.wrap(packet))
  }
}
