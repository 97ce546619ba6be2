import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below what systems hand out by themselves: neither a client nor a listener on port 0 takes one of these in between. */
const ownPorts = { from: 20_000, until: 32_768 }

/** A port of 127.0.0.1 that nobody listens on; nobody takes it by chance before you do, or while you are away from it. */
export function freePort(): Promise<number> {
  const port = randomInt(ownPorts.from, ownPorts.until)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
