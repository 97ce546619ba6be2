/** The primitives of TL serialisation: little-endian numbers, and byte strings padded to four. */

/** A buffer that grows as it is written to. */
export class Writer {
  #buffer = Buffer.allocUnsafe(256)
  #length = 0

  #advance(size: number): number {
    const at = this.#length
    this.#length += size
    if (this.#length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length))
      this.#buffer.copy(grown, 0, 0, at)
      this.#buffer = grown
    }
    return at
  }

  int(value: number): this {
    const at = this.#advance(4)
    this.#buffer.writeInt32LE(value | 0, at)
    return this
  }

  long(value: bigint): this {
    const at = this.#advance(8)
    this.#buffer.writeBigInt64LE(BigInt.asIntN(64, value), at)
    return this
  }

  double(value: number): this {
    const at = this.#advance(8)
    this.#buffer.writeDoubleLE(value, at)
    return this
  }

  raw(bytes: Buffer): this {
    const at = this.#advance(bytes.length)
    bytes.copy(this.#buffer, at)
    return this
  }

  bytes(value: Buffer | string): this {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
    const head = bytes.length < 254 ? 1 : 4
    const size = (head + bytes.length + 3) & ~3
    const at = this.#advance(size)
    if (head === 1) this.#buffer[at] = bytes.length
    else this.#buffer.writeUInt32LE(((bytes.length << 8) | 254) >>> 0, at)
    bytes.copy(this.#buffer, at + head)
    this.#buffer.fill(0, at + head + bytes.length, at + size)
    return this
  }

  done(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}

/** Reads what a Writer wrote; throws RangeError past the end. */
export class Reader {
  readonly #buffer: Buffer
  offset: number

  constructor(buffer: Buffer, offset = 0) {
    this.#buffer = buffer
    this.offset = offset
  }

  int(): number {
    const value = this.#buffer.readInt32LE(this.offset)
    this.offset += 4
    return value
  }

  id(): number {
    return this.int() >>> 0
  }

  long(): bigint {
    const value = this.#buffer.readBigInt64LE(this.offset)
    this.offset += 8
    return value
  }

  double(): number {
    const value = this.#buffer.readDoubleLE(this.offset)
    this.offset += 8
    return value
  }

  raw(length: number): Buffer {
    const end = this.offset + length
    if (length < 0 || end > this.#buffer.length) throw new RangeError('TL value runs past the end')
    const bytes = this.#buffer.subarray(this.offset, end)
    this.offset = end
    return bytes
  }

  bytes(): Buffer {
    const short = this.#buffer.readUInt8(this.offset)
    const head = short === 254 ? 4 : 1
    const length = short === 254 ? this.#buffer.readUIntLE(this.offset + 1, 3) : short
    const start = this.offset
    this.offset += head
    const value = this.raw(length)
    this.offset = start + ((head + length + 3) & ~3)
    return value
  }
}
