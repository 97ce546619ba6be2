/** A port of this machine that one process has, while the others of the same account stand by for it. */
import { once } from 'node:events'
import type { Server } from 'node:net'
import { type Log, sleep } from '@courier-fleet/process'

export interface SharedPortOptions {
  readonly server: Server
  readonly port: number
  /** the address to listen on */
  readonly host: string
  /** how often a process that stands by tries to take the port */
  readonly standbyMs: number
  /** what comes to it, for the log */
  readonly what: string
  readonly log: Log
}

export interface SharedPort {
  /** Listens, or stands by for whoever does. @throws Error when there is no listening there at all */
  take(): Promise<void>
  /** Stands by no more; the server is its owner's to close. */
  leave(): Promise<void>
}

export function createSharedPort({ server, port, host, standbyMs, what, log }: SharedPortOptions): SharedPort {
  const leaving = new AbortController()
  let standby: Promise<void> | undefined

  /** @returns false when another process has the port */
  async function listen(): Promise<boolean> {
    try {
      server.listen(port, host)
      await once(server, 'listening')
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
      throw error
    }
  }

  async function standBy(): Promise<void> {
    while (!leaving.signal.aborted) {
      await sleep(standbyMs, leaving.signal)
      if (!leaving.signal.aborted && (await listen())) return log.info(`took over the port for ${what}`)
    }
  }

  return {
    async take() {
      if (await listen()) return
      log.info({ port }, `another process takes the ${what}; standing by`)
      standby = standBy()
    },
    async leave() {
      leaving.abort()
      await standby
    },
  }
}
