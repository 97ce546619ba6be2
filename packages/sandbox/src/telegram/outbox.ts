/** The messages going to a client in one session: numbered, packed into containers, wrapped in the encrypted envelope. */
import { Writer } from './tl/bytes.ts'
import { containerId } from './tl/core-schema.ts'

/** an answer to a client's message, or something the server says of its own accord: the low bits of the message id tell */
export type MessageKind = 'answer' | 'notice'

interface Outgoing {
  readonly id: bigint
  readonly body: Buffer
  /** has to be acknowledged, which makes its sequence number odd */
  readonly content: boolean
}

/** clients refuse longer containers (core.telegram.org/mtproto/service_messages#containers says 1020) */
const maxContainerLength = 100

/** Message ids of a server: Unix time × 2³², rising, ≡ 1 (answer) or 3 (notice) mod 4. */
export function createMessageIds(): (kind: MessageKind) => bigint {
  let last = 0n
  return (kind) => {
    const now = ((BigInt(Date.now()) << 32n) / 1000n) & ~3n
    last = now > last ? now : last + 4n
    return last | (kind === 'answer' ? 1n : 3n)
  }
}

export interface OutboxDeps {
  readonly salt: bigint
  readonly sessionId: bigint
  readonly newMessageId: (kind: MessageKind) => bigint
  /** takes one plain message to be encrypted */
  readonly send: (plain: Buffer) => void
}

export class Outbox {
  readonly #deps: OutboxDeps
  #queue: Outgoing[] = []
  #contentSent = 0
  #scheduled = false

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  /** Goes out with whatever else is said in this turn of the event loop. */
  add(body: Buffer, kind: MessageKind, content: boolean): void {
    this.#queue.push({ id: this.#deps.newMessageId(kind), body, content })
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const queue = this.#queue
    this.#queue = []
    for (let at = 0; at < queue.length; at += maxContainerLength) {
      this.#deps.send(this.#envelope(this.#pack(queue.slice(at, at + maxContainerLength))))
    }
  }

  /** One message as it is; several as one container. */
  #pack(messages: readonly Outgoing[]): Writer {
    const writer = new Writer()
    const write = ({ id, body, content }: Outgoing) =>
      writer.long(id).int(this.#sequence(content)).int(body.length).raw(body)
    const [only, ...others] = messages
    if (only && others.length === 0) return write(only)
    for (const message of messages) write(message)
    const inner = writer.done()
    const body = new Writer().int(containerId).int(messages.length).raw(inner).done()
    const id = this.#deps.newMessageId('answer')
    return new Writer().long(id).int(this.#sequence(false)).int(body.length).raw(body)
  }

  #envelope(message: Writer): Buffer {
    return new Writer().long(this.#deps.salt).long(this.#deps.sessionId).raw(message.done()).done()
  }

  #sequence(content: boolean): number {
    const sequence = this.#contentSent * 2 + (content ? 1 : 0)
    if (content) this.#contentSent += 1
    return sequence
  }
}
