/**
 * The folder of the files of messages, which all processes of the queue share: docs/decisions/0086.
 *
 *   .new-<id>/    on its way in: nobody sees it
 *   <id>/         bytes: as they came; about.json: what is known of it; uses: a line for each message that has it
 *   .gone-<id>/   on its way out (remove-files.ts)
 *
 * A folder is renamed when all of it is there, and before any of it is taken away: a file is whole, or it is not there.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly type: string
  /** bytes */
  readonly size: number
  /** who uploaded it */
  readonly of: string
  /** when, Unix ms */
  readonly atMs: number
}

/** A message that has it: how long it needs it, Unix ms, and whom it is for where that is one person alone. */
export interface FileUse {
  readonly untilMs: number
  readonly person?: string | undefined
}

/** What was written of one that comes in, before anybody sees it. */
export interface Incoming {
  readonly path: string
  readonly size: number
  /** From now on it is there. */
  keep(file: StoredFile): Promise<void>
  discard(): Promise<void>
}

const idPattern = /^[\w-]{12}$/
const usePattern = /^(\d+) ([\w-]*)$/
/** of one that no message has named yet */
export const unusedMs = 86_400_000

/** bytes that are free on its disk */
export async function freeBytes(dir: string): Promise<number> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Of a longer one only so much as shows that it is. Rejects as the stream does, and nothing is left. */
export async function receiveFile(dir: string, id: string, body: Readable, maxBytes: number): Promise<Incoming> {
  const incoming = join(dir, `.new-${id}`)
  const path = join(incoming, 'bytes')
  const discard = () => rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  try {
    await pipeline(body, upTo(maxBytes), createWriteStream(path, { mode: 0o600, flush: true }))
  } catch (error) {
    await discard()
    throw error
  }
  return {
    path,
    size: (await stat(path)).size,
    discard,
    async keep({ id: _name, ...about }) {
      await writeFile(join(incoming, 'about.json'), JSON.stringify(about), { mode: 0o600, flush: true })
      await rename(incoming, join(dir, id))
    },
  }
}

/** The rest of a body that is too long is read and dropped: its answer goes out on the same socket. */
const upTo = (maxBytes: number) =>
  async function* (body: AsyncIterable<Buffer>) {
    let left = maxBytes + 1
    for await (const chunk of body) {
      const some = chunk.subarray(0, left)
      left -= some.length
      if (some.length > 0) yield some
    }
  }

export const findFile = async (dir: string, id: string) => (idPattern.test(id) ? readAbout(dir, id, id) : undefined)

/** @param folder its own name, or that on its way out */
export async function readAbout(dir: string, folder: string, id: string): Promise<StoredFile | undefined> {
  const text = await readFile(join(dir, folder, 'about.json'), 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : { ...(JSON.parse(text) as Omit<StoredFile, 'id'>), id }
}

/** @returns undefined where it is gone */
export async function readStored(dir: string, id: string): Promise<{ file: StoredFile; bytes: Readable } | undefined> {
  const file = await findFile(dir, id)
  const bytes = file && (await open(join(dir, id, 'bytes')).catch(ignoreMissing))
  return file && bytes ? { file, bytes: createReadStream('', { fd: bytes }) } : undefined
}

/** Kept for a message: before it is accepted. @returns false where the file is gone */
export async function useFile(dir: string, id: string, { untilMs, person = '' }: FileUse): Promise<boolean> {
  const uses = await open(join(dir, id, 'uses'), 'a', 0o600).catch(ignoreMissing)
  if (!uses) return false
  try {
    await uses.appendFile(`${untilMs} ${person}\n`)
    await uses.sync()
  } finally {
    await uses.close()
  }
  // it may have been taken away meanwhile, and then without this line
  return (await findFile(dir, id)) !== undefined
}

/** @param folder as readAbout() has it */
export async function usesIn(dir: string, folder: string): Promise<FileUse[]> {
  const text = (await readFile(join(dir, folder, 'uses'), 'utf8').catch(ignoreMissing)) ?? ''
  return text.split('\n').flatMap((line) => {
    const [, until, person] = usePattern.exec(line) ?? []
    return until === undefined ? [] : [{ untilMs: Number(until), ...(person ? { person } : {}) }]
  })
}

/** Until when it is needed, Unix ms. */
export const endOf = ({ atMs }: StoredFile, uses: readonly FileUse[]): number =>
  Math.max(atMs + unusedMs, ...uses.map(({ untilMs }) => untilMs))

/** Of all that lies there, whole or not. */
export const namesIn = async (dir: string): Promise<string[]> => (await readdir(dir).catch(ignoreMissing)) ?? []

/** @returns undefined for what is not there. @throws any other error */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
