/**
 * How packets lie in the TCP stream (core.telegram.org/mtproto/mtproto-transports): full, abridged, intermediate and padded
 * intermediate, each plain or obfuscated. The first bytes of a connection say which.
 */
import { type Cipher, createCipheriv, createDecipheriv, type Decipher, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** gramjs's containers stay below this; a client that sends more is broken */
const maxPacketLength = 2 * 1024 * 1024

export class FramingError extends Error {}

/** One packet off the front of the buffer, or undefined when it is not complete yet. */
interface Framing {
  take(buffer: Buffer): { readonly packet: Buffer; readonly length: number } | undefined
  wrap(packet: Buffer): Buffer
}

function complete(buffer: Buffer, length: number): boolean {
  if (length < 0 || length > maxPacketLength) throw new FramingError(`a packet of ${length} bytes`)
  return buffer.length >= length
}

function full(): Framing {
  let sequence = 0
  return {
    take(buffer) {
      if (buffer.length < 12) return undefined
      const length = buffer.readUInt32LE(0)
      if (length < 12 || !complete(buffer, length)) {
        if (length < 12) throw new FramingError('a packet shorter than its frame')
        return undefined
      }
      if (crc32(buffer.subarray(0, length - 4)) !== buffer.readUInt32LE(length - 4)) throw new FramingError('bad CRC')
      return { packet: buffer.subarray(8, length - 4), length }
    },
    wrap(packet) {
      const frame = Buffer.allocUnsafe(packet.length + 12)
      frame.writeUInt32LE(frame.length, 0)
      frame.writeUInt32LE(sequence++, 4)
      packet.copy(frame, 8)
      frame.writeUInt32LE(crc32(frame.subarray(0, -4)), frame.length - 4)
      return frame
    },
  }
}

/** Lengths in words of four bytes; the top bit of the first byte asks for a quick acknowledgement, which is never given. */
function abridged(): Framing {
  return {
    take(buffer) {
      if (buffer.length < 1) return undefined
      const short = buffer.readUInt8(0) & 0x7f
      const head = short === 0x7f ? 4 : 1
      if (buffer.length < head) return undefined
      const length = head + 4 * (head === 4 ? buffer.readUIntLE(1, 3) : short)
      return complete(buffer, length) ? { packet: buffer.subarray(head, length), length } : undefined
    },
    wrap(packet) {
      const words = packet.length / 4
      const head = words < 0x7f ? Buffer.from([words]) : Buffer.alloc(4, 0x7f)
      if (head.length === 4) head.writeUIntLE(words, 1, 3)
      return Buffer.concat([head, packet])
    },
  }
}

function intermediate(padded: boolean): Framing {
  return {
    take(buffer) {
      if (buffer.length < 4) return undefined
      const length = 4 + (buffer.readUInt32LE(0) & 0x7fffffff)
      return complete(buffer, length) ? { packet: buffer.subarray(4, length), length } : undefined
    },
    wrap(packet) {
      // a transport error is told by its length of 4: it stays bare
      const padding = padded && packet.length > 4 ? randomBytes(randomInt(16)) : Buffer.alloc(0)
      const head = Buffer.allocUnsafe(4)
      head.writeUInt32LE(packet.length + padding.length)
      return Buffer.concat([head, packet, padding])
    },
  }
}

const tags: ReadonlyMap<number, () => Framing> = new Map([
  [0xefefefef, abridged],
  [0xeeeeeeee, () => intermediate(false)],
  [0xdddddddd, () => intermediate(true)],
])

/** The byte stream of one connection, as packets. */
export class PacketStream {
  #pending: Buffer = Buffer.alloc(0)
  #framing: Framing | undefined
  #incoming: Decipher | undefined
  #outgoing: Cipher | undefined

  /** @throws FramingError when what came is no MTProto transport */
  push(chunk: Buffer): Buffer[] {
    const bytes = this.#incoming ? this.#incoming.update(chunk) : chunk
    this.#pending = this.#pending.length ? Buffer.concat([this.#pending, bytes]) : bytes
    this.#framing ??= this.#recognise()
    const framing = this.#framing
    const packets: Buffer[] = []
    while (framing) {
      const taken = framing.take(this.#pending)
      if (!taken) break
      packets.push(taken.packet)
      this.#pending = this.#pending.subarray(taken.length)
    }
    return packets
  }

  wrap(packet: Buffer): Buffer {
    if (!this.#framing) throw new FramingError('nothing has been received yet')
    const frame = this.#framing.wrap(packet)
    return this.#outgoing ? this.#outgoing.update(frame) : frame
  }

  #recognise(): Framing | undefined {
    const start = this.#pending
    if (start.length >= 1 && start[0] === 0xef) {
      this.#pending = start.subarray(1)
      return abridged()
    }
    if (start.length < 8) return undefined
    const tagged = tags.get(start.readUInt32LE(0))
    if (tagged) {
      this.#pending = start.subarray(4)
      return tagged()
    }
    // the full transport begins with the sequence number 0; obfuscated headers avoid that
    if (start.readUInt32LE(4) === 0) return full()
    return start.length < 64 ? undefined : this.#deobfuscate(start)
  }

  #deobfuscate(start: Buffer): Framing {
    const header = start.subarray(0, 64)
    const reversed = Buffer.from(header.subarray(8, 56)).reverse()
    this.#incoming = createDecipheriv('aes-256-ctr', header.subarray(8, 40), header.subarray(40, 56))
    this.#outgoing = createCipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32, 48))
    const framing = tags.get(this.#incoming.update(header).readUInt32LE(56))
    if (!framing) throw new FramingError('not an MTProto transport')
    this.#pending = this.#incoming.update(start.subarray(64))
    return framing()
  }
}
