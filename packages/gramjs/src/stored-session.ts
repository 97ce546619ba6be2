/** The login, kept for the next connection and, with a file, for the next process. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { TelegramAccount } from './account.ts'

export interface StoredSession {
  /** empty when there is none */
  load(): string
  save(session: string): void
  clear(): void
}

interface Kept {
  /** the bot and server that the session is of: to any other it means nothing */
  readonly of: string
  readonly session: string
}

export function createStoredSession({ botId, server, sessionFile: path }: TelegramAccount): StoredSession {
  const of = server ? `${botId}@${server.host}:${server.port}` : botId
  let session = path ? read(path, of) : ''
  return {
    load: () => session,
    save(current) {
      if (current === session) return
      session = current
      if (path) write(path, { of, session })
    },
    clear() {
      session = ''
      if (path) rmSync(path, { force: true })
    },
  }
}

/** Empty for what cannot be read: the bot logs in anew. */
function read(path: string, of: string): string {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>
    return kept.of === of && typeof kept.session === 'string' ? kept.session : ''
  } catch {
    return ''
  }
}

/** Processes of one bot may share the file: each writes it whole. */
function write(path: string, kept: Kept): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
  renameSync(draft, path)
}
