/**
 * A folder of small notes that outlive the process, one file each, written whole or not at all. Processes of one machine may
 * share it. Only for what an inbound process has yet to do; what the fleet must know is kept by the API.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface Notes<T> {
  /** Durable when it resolves. @param name letters, digits, `.`, `-` and `_` */
  put(name: string, note: T): Promise<void>
  get(name: string): Promise<T | undefined>
  /** Fine when there is none. */
  remove(name: string): Promise<void>
  names(): Promise<string[]>
  /** Removes what has not been written for so long. */
  removeOld(olderThanMs: number): Promise<void>
}

export function createNotes<T>(folder: string): Notes<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (name: string) => join(folder, `${name}.json`)
  const remove = (name: string) => rm(pathOf(name), { force: true })

  return {
    async put(name, note) {
      const draft = join(folder, `${name}.${randomUUID()}.draft`)
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(JSON.stringify(note))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, pathOf(name))
    },
    async get(name) {
      try {
        return JSON.parse(await readFile(pathOf(name), 'utf8')) as T
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove,
    async names() {
      return (await readdir(folder)).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5))
    },
    async removeOld(olderThanMs) {
      const oldest = Date.now() - olderThanMs
      for (const file of await readdir(folder)) {
        const path = join(folder, file)
        const writtenAt = await stat(path)
          .then(({ mtimeMs }) => mtimeMs)
          .catch(() => Number.POSITIVE_INFINITY)
        if (writtenAt < oldest) await rm(path, { force: true })
      }
    },
  }
}
