/**
 * A TCP line between processes and one server, for things to go wrong on: it can be refused, fall silent, be slow, be cut, and
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
  /** @returns whether what was caught still goes on its way; bytes: these are the answer in the place of the server's */
  spring(): 'forward' | 'drop' | Buffer
}

/** Hears what is said on one connection, as it comes in. */
export interface Witness {
  asked?(chunk: Buffer): void
  /** @returns what goes on to the server in its place */
  rewritten?(chunk: Buffer): Buffer
  answered?(chunk: Buffer): void
  /** an answer goes on to the process, however late */
  told?(chunk: Buffer): void
}

/** What can go wrong for all connections, or for some. */
export interface Line {
  /** @returns takes the trap away again, if it has not sprung */
  arm(trap: Trap): () => void
  /** Cuts what is open; further connections are possible at once. */
  cut(): void
  /** Cuts what is open and refuses further connections, until `restore`. */
  refuse(): Promise<void>
  /** Accepts, and passes nothing on in either direction, until `restore`. */
  silence(): void
  /** Accepts, and passes on nothing that the server says, which hears all as before, until `restore`. */
  hold(): void
  /** Whatever the server says arrives so much later, until `restore`. */
  delay(ms: number): void
  /** Everything passes again; what was held back arrives, late. */
  restore(): Promise<void>
}

export interface Link extends Line {
  readonly port: number
  /** connections made so far */
  accepted(): number
  /**
   * The connections that show themselves to be of these, when they do: those that come later too. Whoever is refused has been heard as
   * far as that.
   */
  of(isOne: (witness: Witness) => boolean): Line
  /** Whoever is connected hears these bytes as if the server had said them. */
  say(bytes: Buffer): void
  /** New connections pass again; those that were silent stay so until either side leaves them. */
  abandon(): void
  close(): Promise<void>
}

interface Pair {
  readonly process: Socket
  readonly server: Socket
  readonly witness: Witness
  /** traps that matched a request of this connection and wait for its answer */
  readonly awaiting: Set<Trap>
  /** what the server has said and the process is to hear later, in order */
  readonly late: { readonly chunk: Buffer; readonly at: number }[]
  /** neither side is heard */
  silent: boolean
  /** the server is not heard */
  held: boolean
  /** those of the link: whose it is may show later */
  readonly parts: readonly Part[]
}

/** What goes wrong for some connections. */
interface Part {
  readonly isOne: (witness: Witness) => boolean
  silent: boolean
  held: boolean
  refused: boolean
  delayMs: number
}

const wholesome = { silent: false, held: false, refused: false, delayMs: 0 }

/** @param witness made anew for each connection, for it may keep what is incomplete */
export async function openLink(
  to: { readonly host: string; readonly port: number },
  witness: () => Witness = () => ({}),
): Promise<Link> {
  const link = new TcpLink(to, witness)
  await link.restore()
  return link
}

/** What is public are fields, so that each can be handed on by itself. */
class TcpLink implements Link {
  readonly #to: { readonly host: string; readonly port: number }
  readonly #witness: () => Witness
  readonly #pairs = new Set<Pair>()
  readonly #parts: Part[] = []
  /** each with whose request it waits for */
  readonly #traps = new Map<Trap, (witness: Witness) => boolean>()
  readonly #listener = createServer((process) => this.#accept(process))
  /** the same from the first time it listens */
  port = 0
  #accepted = 0
  #silent = false
  #held = false
  #delayMs = 0

  constructor(to: { readonly host: string; readonly port: number }, witness: () => Witness) {
    this.#to = to
    this.#witness = witness
  }

  readonly accepted = () => {
    return this.#accepted
  }

  #accept(process: Socket): void {
    this.#accepted += 1
    const server = connect(this.#to.port, this.#to.host)
    const witness = this.#witness()
    const pair: Pair = {
      process,
      server,
      witness,
      parts: this.#parts,
      awaiting: new Set(),
      late: [],
      silent: this.#silent,
      held: this.#held,
    }
    this.#pairs.add(pair)
    for (const socket of [process, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {}) // 'close' follows, and ends both
      socket.on('close', () => {
        this.#pairs.delete(pair)
        process.destroy()
        server.destroy()
      })
    }
    process.on('data', (chunk: Buffer) => {
      const known = partsOf(pair).length
      witness.asked?.(chunk)
      if (is(pair, 'refused')) return process.destroy()
      if (partsOf(pair).length !== known) listen(pair)
      if (!this.#isStopped(pair, chunk)) pass(pair, witness.rewritten?.(chunk) ?? chunk, process, server)
    })
    server.on('data', (chunk: Buffer) => {
      witness.answered?.(chunk)
      if (isAnswerStopped(pair)) return
      const delayMs = Math.max(this.#delayMs, ...partsOf(pair).map((part) => part.delayMs))
      if (delayMs > 0 || pair.late.length > 0) defer(pair, chunk, delayMs)
      else tell(pair, chunk)
    })
    listen(pair)
  }

  #isStopped(pair: Pair, chunk: Buffer): boolean {
    for (const [trap, isOne] of this.#traps) {
      if (!isOne(pair.witness) || !trap.matches(chunk)) continue
      this.#traps.delete(trap)
      if (trap.moment === 'after') pair.awaiting.add(trap)
      else if (isStopped(pair, trap)) return true
    }
    return false
  }

  readonly arm = (trap: Trap, isOne: (witness: Witness) => boolean = () => true) => {
    this.#traps.set(trap, isOne)
    return () => {
      this.#traps.delete(trap)
      for (const { awaiting } of this.#pairs) awaiting.delete(trap)
    }
  }

  readonly of = (isOne: (witness: Witness) => boolean): Line => {
    const part: Part = { isOne, ...wholesome }
    this.#parts.push(part)
    const change = (state: Partial<Part>) => {
      Object.assign(part, state)
      for (const pair of this.#pairs) listen(pair)
    }
    const cut = () => {
      for (const { process, witness } of this.#pairs) if (isOne(witness)) process.destroy()
    }
    return {
      arm: (trap) => this.arm(trap, isOne),
      cut,
      async refuse() {
        change({ refused: true })
        cut()
      },
      silence: () => change({ silent: true }),
      hold: () => change({ held: true }),
      delay: (delayMs) => change({ delayMs }),
      restore: async () => change(wholesome),
    }
  }

  readonly say = (bytes: Buffer): void => {
    for (const { process } of this.#pairs) process.write(bytes)
  }

  readonly cut = (): void => {
    for (const { process, server } of this.#pairs) {
      process.destroy()
      server.destroy()
    }
  }

  readonly refuse = async (): Promise<void> => {
    const closed = this.#listener.listening && once(this.#listener, 'close')
    if (closed) this.#listener.close()
    this.cut()
    await closed
  }

  readonly silence = (): void => {
    this.#silent = true
    this.#setAll({ silent: true })
  }

  readonly hold = (): void => {
    this.#held = true
    this.#setAll({ held: true })
  }

  readonly delay = (ms: number): void => {
    this.#delayMs = ms
  }

  readonly restore = async (): Promise<void> => {
    if (!this.#listener.listening) {
      this.#listener.listen(this.port, '127.0.0.1')
      await once(this.#listener, 'listening')
      this.port = (this.#listener.address() as AddressInfo).port
    }
    this.#silent = false
    this.#held = false
    this.#delayMs = 0
    this.#setAll({ silent: false, held: false })
  }

  readonly abandon = (): void => {
    this.#silent = false
    this.#held = false
  }

  readonly close = (): Promise<void> => {
    return this.refuse()
  }

  #setAll(change: Partial<Pick<Pair, 'silent' | 'held'>>): void {
    for (const pair of this.#pairs) listen(Object.assign(pair, change))
  }
}

const partsOf = ({ parts, witness }: Pair) => parts.filter(({ isOne }) => isOne(witness))
const is = (pair: Pair, what: 'silent' | 'held' | 'refused') => partsOf(pair).some((part) => part[what])

/** Hears whoever is to be heard. */
function listen(pair: Pair): void {
  const { process, server } = pair
  const silent = pair.silent || is(pair, 'silent')
  if (silent) process.pause()
  else process.resume()
  if (silent || pair.held || is(pair, 'held')) server.pause()
  else server.resume()
}

function pass(pair: Pair, chunk: Buffer, from: Socket, into: Socket): void {
  if (into.write(chunk)) return
  from.pause()
  into.once('drain', () => listen(pair))
}

function tell(pair: Pair, chunk: Buffer): void {
  pair.witness.told?.(chunk)
  pass(pair, chunk, pair.server, pair.process)
}

function defer(pair: Pair, chunk: Buffer, delayMs: number): void {
  pair.late.push({ chunk, at: performance.now() + delayMs })
  if (pair.late.length === 1) releaseLater(pair)
}

function releaseLater(pair: Pair): void {
  const [first] = pair.late
  if (!first) return
  setTimeout(() => {
    // all that are due: a timer each would hold up those behind it
    for (const now = performance.now(); (pair.late[0]?.at ?? Number.POSITIVE_INFINITY) <= now; ) {
      const { chunk } = pair.late.shift() as { chunk: Buffer }
      if (!pair.process.destroyed) tell(pair, chunk)
    }
    releaseLater(pair)
  }, first.at - performance.now())
}

function isAnswerStopped(pair: Pair): boolean {
  const stopped = [...pair.awaiting].map((trap) => isStopped(pair, trap))
  pair.awaiting.clear()
  return stopped.includes(true)
}

function isStopped({ process }: Pair, trap: Trap): boolean {
  const next = trap.spring()
  if (Buffer.isBuffer(next)) process.write(next)
  return next !== 'forward'
}
