/**
 * A TCP line before one Redis, by which its replicas and clients come: what it sends its replicas can come late or be held
 * back. Everybody else is passed on as they are.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ReplicationLine {
  /** where it listens on 127.0.0.1 */
  readonly port: number
  /** Whatever the replicas are sent arrives so much later, until `restore`. */
  delay(ms: number): void
  /** The replicas hear nothing, until `restore`. */
  hold(): void
  /** They hear everything at once again, and first what was held back. */
  restore(): void
  /** Cuts the replicas off: what was held back never arrives. They may come again. */
  cut(): void
  close(): void
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  /** a replica has asked for what it has missed */
  isReplica: boolean
  /** what it is to hear later, in order */
  readonly late: { readonly chunk: Buffer; readonly at: number }[]
  timer?: NodeJS.Timeout | undefined
}

export async function openReplicationLine(to: number): Promise<ReplicationLine> {
  const pairs = new Set<Pair>()
  /** Infinity: held */
  let delayMs = 0
  const listener = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const pair: Pair = { near, far, isReplica: false, late: [] }
    pairs.add(pair)
    const over = () => {
      clearTimeout(pair.timer)
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', over).on('close', over)
    near.on('data', (chunk: Buffer) => {
      pair.isReplica ||= chunk.includes('PSYNC')
      pass(chunk, near, far)
    })
    far.on('data', (chunk: Buffer) => {
      if (!pair.isReplica || (delayMs === 0 && pair.late.length === 0)) return pass(chunk, far, near)
      pair.late.push({ chunk, at: performance.now() + delayMs })
      if (pair.late.length === 1) tellLater(pair)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = (only: (pair: Pair) => boolean) => {
    for (const pair of [...pairs].filter(only)) pair.near.destroy()
  }
  return {
    port: (listener.address() as AddressInfo).port,
    delay(ms) {
      delayMs = ms
    },
    hold() {
      delayMs = Number.POSITIVE_INFINITY
    },
    restore() {
      delayMs = 0
      for (const pair of pairs) {
        clearTimeout(pair.timer)
        for (const { chunk } of pair.late.splice(0)) pair.near.write(chunk)
      }
    },
    cut: () => cut(({ isReplica }) => isReplica),
    close() {
      listener.close()
      cut(() => true)
    },
  }
}

function pass(chunk: Buffer, from: Socket, into: Socket): void {
  if (into.write(chunk)) return
  from.pause()
  into.once('drain', () => from.resume())
}

function tellLater(pair: Pair): void {
  const [first] = pair.late
  if (!first || first.at === Number.POSITIVE_INFINITY) return
  const tell = () => {
    // all that are due: a timer each would hold up those behind it
    for (const now = performance.now(); (pair.late[0]?.at ?? Number.POSITIVE_INFINITY) <= now; )
      pair.near.write((pair.late.shift() as { chunk: Buffer }).chunk)
    tellLater(pair)
  }
  pair.timer = setTimeout(tell, first.at - performance.now())
}
