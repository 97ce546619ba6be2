/**
 * Takes a backup: asks a Redis for its data as a replica does, and keeps them in a file. They are those of one moment, that of Redis's own
 * fork, whatever is written meanwhile; nothing has to be installed beside it, and its disk need not be reached.
 */
import { type FileHandle, link, open, stat, unlink } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'
import type { Connection } from './connection.ts'
import { addressIn, openData } from './place.ts'
import { readHeader } from './snapshot-file.ts'

export interface Backup {
  readonly bytes: number
  /** as of when the data are, Unix ms, a whole second */
  readonly takenMs: number
}

const markLength = 40
/** A Sentinel that finds somebody among a master's replicas keeps them for one, unless their port cannot be one. */
const noPort = '-1'

/**
 * @param url of one Redis or of Sentinels, whose master it is taken of; of a user that may PING, REPLCONF and SYNC, and ROLE behind Sentinels
 * @param file does not exist yet; only its owner may read it
 * @throws BackupError; nothing is left then
 */
export async function takeBackup(url: string, file: string): Promise<Backup> {
  const address = addressIn(url)
  if (await stat(file).catch(() => undefined)) throw new BackupError(`${file} is there already: name another file`)
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o600).catch((error: Error) => {
    throw new BackupError(error.message)
  })
  try {
    try {
      const connection = await openData(address)
      try {
        await receive(connection, handle)
      } finally {
        connection.close()
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    // never over a file that somebody has made meanwhile
    await link(part, file)
  } finally {
    await unlink(part)
  }
  const { size, takenMs } = await readHeader(file)
  return { bytes: size, takenMs }
}

async function receive(connection: Connection, handle: FileHandle): Promise<void> {
  // no stream of commands behind the data
  await connection.ask('REPLCONF', 'rdb-only', '1', 'listening-port', noPort)
  const heading = await connection.ask('SYNC')
  const [, mark, length] = /^\$(?:EOF:(.{40})|(\d+))$/.exec(heading) ?? []
  if (mark === undefined && length === undefined) throw new BackupError(`Redis answers SYNC with "${heading}"`)
  if (mark === undefined) await receiveLength(connection, handle, Number(length))
  else await receiveUntil(connection, handle, Buffer.from(mark, 'latin1'))
}

async function receiveLength(connection: Connection, handle: FileHandle, length: number): Promise<void> {
  let left = length
  for await (const chunk of connection.bytes()) {
    const part = chunk.subarray(0, left)
    await handle.appendFile(part)
    left -= part.length
    if (left === 0) return
  }
}

/** The data end with a mark that Redis has drawn for them. */
async function receiveUntil(connection: Connection, handle: FileHandle, mark: Buffer): Promise<void> {
  let last = Buffer.alloc(0)
  for await (const chunk of connection.bytes()) {
    const all = Buffer.concat([last, chunk])
    const end = Math.max(0, all.length - markLength)
    await handle.appendFile(all.subarray(0, end))
    last = all.subarray(end)
    if (last.equals(mark)) return
  }
}
