/** What can be told of a file of Redis's data (RDB) without reading all of it. */
import { type FileHandle, open } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'

export interface SnapshotHeader {
  readonly size: number
  /** when Redis wrote it, Unix ms, a whole second */
  readonly takenMs: number
}

const headerBytes = 4096
const nameLength = 9
const auxiliary = 0xfa
const end = 0xff
const checksumLength = 8

/** @throws BackupError when it is none, or ends too soon */
export async function readHeader(file: string): Promise<SnapshotHeader> {
  const handle = await open(file).catch((error: Error) => {
    throw new BackupError(error.message)
  })
  try {
    const { size } = await handle.stat()
    const first = await read(handle, 0, headerBytes)
    if (!/^(REDIS|VALKEY)\d+$/.test(first.toString('latin1', 0, nameLength)))
      throw new BackupError(`${file} is no backup: it holds no data of Redis (RDB)`)
    const { fields, length } = fieldsOf(first)
    const endsAt = size - checksumLength - 1
    const [last] = endsAt < length ? [] : await read(handle, endsAt, 1)
    const seconds = Number(fields.get('ctime'))
    if (last !== end || !Number.isFinite(seconds)) throw new BackupError(`${file} is not whole: take it again`)
    return { size, takenMs: seconds * 1000 }
  } finally {
    await handle.close()
  }
}

async function read(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/**
 * What Redis says of itself before the data: names and values, each a short string or a number of 8, 16 or 32 bits.
 * @returns also where they end: behind the last byte where that is in the midst of them
 */
function fieldsOf(bytes: Buffer): { readonly fields: ReadonlyMap<string, string>; readonly length: number } {
  const fields = new Map<string, string>()
  let at = nameLength
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const next = (): string => {
    const [kind = 0] = take(1)
    const width = { 192: 1, 193: 2, 194: 4 }[kind]
    if (width === undefined) return take(kind).toString('latin1')
    const number = take(width)
    return number.length < width ? '' : String(number.readIntLE(0, width))
  }
  while (bytes[at] === auxiliary) {
    at += 1
    const name = next()
    fields.set(name, next())
  }
  return { fields, length: at }
}
