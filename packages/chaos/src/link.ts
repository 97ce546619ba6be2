/**
 * A TCP line between one process and one server, for things to go wrong on: it can be refused, fall silent, be cut, and
 * hold a trap for a particular request. Whoever is on either side sees what a broken network shows, nothing else.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Waits for one request. It springs once. */
export interface Trap {
  /** whether what the process has just sent is the request waited for */
  matches(sent: Buffer): boolean
  /** before: the server has not heard it. after: the server has answered, and the process has not heard the answer. */
  readonly moment: 'before' | 'after'
  /** @returns whether what was caught still goes on its way */
  spring(): 'forward' | 'drop'
}

export interface Link {
  readonly port: number
  /** @returns takes the trap away again, if it has not sprung */
  arm(trap: Trap): () => void
  /** Cuts what is open; further connections are possible at once. */
  cut(): void
  /** Cuts what is open and refuses further connections, until `restore`. */
  refuse(): Promise<void>
  /** Accepts, and passes nothing on in either direction, until `restore`. */
  silence(): void
  /** Whatever the server says arrives so much later, until `restore`. */
  delay(ms: number): void
  restore(): Promise<void>
  close(): Promise<void>
}

interface Pair {
  readonly process: Socket
  readonly server: Socket
  /** traps that matched a request of this connection and wait for its answer */
  readonly awaiting: Set<Trap>
  /** what the server has said and the process is to hear later, in order */
  readonly late: { readonly chunk: Buffer; readonly at: number }[]
}

export async function openLink(to: { readonly host: string; readonly port: number }): Promise<Link> {
  const pairs = new Set<Pair>()
  const traps = new Set<Trap>()
  let silent = false
  let delayMs = 0

  const listener = createServer((process) => {
    const pair: Pair = { process, server: connect(to.port, to.host), awaiting: new Set(), late: [] }
    pairs.add(pair)
    for (const socket of [pair.process, pair.server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {}) // 'close' follows, and ends both
      socket.on('close', () => {
        pairs.delete(pair)
        pair.process.destroy()
        pair.server.destroy()
      })
      if (silent) socket.pause()
    }
    pair.process.on('data', (chunk: Buffer) => {
      if (!isStopped(pair, chunk)) pass(chunk, pair.process, pair.server)
    })
    pair.server.on('data', (chunk: Buffer) => {
      if (isAnswerStopped(pair)) return
      if (delayMs > 0 || pair.late.length > 0) hold(pair, chunk)
      else pass(chunk, pair.server, pair.process)
    })
  })

  function pass(chunk: Buffer, from: Socket, into: Socket): void {
    if (into.write(chunk)) return
    from.pause()
    into.once('drain', () => {
      if (!silent) from.resume()
    })
  }

  function hold(pair: Pair, chunk: Buffer): void {
    pair.late.push({ chunk, at: performance.now() + delayMs })
    if (pair.late.length === 1) release(pair)
  }

  function release(pair: Pair): void {
    const [next] = pair.late
    if (!next) return
    setTimeout(() => {
      pair.late.shift()
      if (!pair.process.destroyed) pass(next.chunk, pair.server, pair.process)
      release(pair)
    }, next.at - performance.now())
  }

  function isStopped(pair: Pair, chunk: Buffer): boolean {
    for (const trap of traps) {
      if (!trap.matches(chunk)) continue
      traps.delete(trap)
      if (trap.moment === 'after') pair.awaiting.add(trap)
      else if (trap.spring() === 'drop') return true
    }
    return false
  }

  function isAnswerStopped(pair: Pair): boolean {
    const sprung = [...pair.awaiting].map((trap) => trap.spring())
    pair.awaiting.clear()
    return sprung.includes('drop')
  }

  async function listen(port: number): Promise<void> {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }

  function cut(): void {
    for (const { process, server } of pairs) {
      process.destroy()
      server.destroy()
    }
  }

  async function stopListening(): Promise<void> {
    if (!listener.listening) return
    const closed = once(listener, 'close')
    listener.close()
    cut()
    await closed
  }

  await listen(0)
  const { port } = listener.address() as AddressInfo
  return {
    port,
    arm(trap) {
      traps.add(trap)
      return () => {
        traps.delete(trap)
        for (const { awaiting } of pairs) awaiting.delete(trap)
      }
    },
    cut,
    refuse: stopListening,
    silence() {
      silent = true
      for (const { process, server } of pairs) {
        process.pause()
        server.pause()
      }
    },
    delay(ms) {
      delayMs = ms
    },
    async restore() {
      if (!listener.listening) await listen(port)
      silent = false
      delayMs = 0
      for (const { process, server } of pairs) {
        process.resume()
        server.resume()
      }
    },
    close: stopListening,
  }
}
