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
    const [last] = await read(handle, size - 1 - checksumLength, 1)
    const seconds = Number(fieldsOf(first).get('ctime'))
    if (last !== end || !Number.isFinite(seconds)) throw new BackupError(`${file} is not whole: take it again`)
    return { size, takenMs: seconds * 1000 }
  } finally {
    await handle.close()
  }
}

async function read(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, Math.max(0, from))
  return buffer.subarray(0, bytesRead)
}

/** What Redis says of itself before the data: names and values, each a short string or a number of 8, 16 or 32 bits. */
function fieldsOf(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  let at = nameLength
  const next = (): string => {
    const kind = bytes.readUInt8(at)
    at += 1
    const width = { 192: 1, 193: 2, 194: 4 }[kind]
    if (width !== undefined) {
      at += width
      return String(bytes.readIntLE(at - width, width))
    }
    at += kind
    return bytes.toString('latin1', at - kind, at)
  }
  while (bytes[at] === auxiliary) {
    at += 1
    const name = next()
    fields.set(name, next())
  }
  return fields
}
