/** So many connections at most, opened when they are needed and used again. */
import type { Connection } from './connection.ts'

export interface ConnectionPool {
  /** @throws what opening throws · the signal's reason, when no connection is free before it is aborted */
  use<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes those that are free, and the others when they come back. */
  stop(): void
}

/** Servers close a connection that says nothing for some minutes, and not all of them say so. */
const maxIdleMs = 30_000

export function createConnectionPool(deps: {
  readonly size: number
  readonly open: (signal: AbortSignal) => Promise<Connection>
}): ConnectionPool {
  const idle: { connection: Connection; since: number }[] = []
  const waiting: (() => void)[] = []
  let inUse = 0
  let stopped = false

  async function acquireSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (inUse < deps.size) {
      inUse += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(signal.reason)
      }
      const take = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      waiting.push(take)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  function releaseSlot(): void {
    const next = waiting.shift()
    if (next) next()
    else inUse -= 1
  }

  function takeIdle(): Connection | undefined {
    for (let found = idle.pop(); found; found = idle.pop()) {
      if (found.connection.isOpen && performance.now() - found.since < maxIdleMs) return found.connection
      found.connection.close()
    }
    return undefined
  }

  return {
    async use(signal, work) {
      await acquireSlot(signal)
      let connection: Connection | undefined
      try {
        connection = takeIdle() ?? (await deps.open(signal))
        return await work(connection)
      } finally {
        if (connection?.isOpen && !stopped) idle.push({ connection, since: performance.now() })
        else connection?.close()
        releaseSlot()
      }
    },
    stop() {
      stopped = true
      for (const { connection } of idle.splice(0)) connection.close()
    },
  }
}
