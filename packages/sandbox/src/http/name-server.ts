/**
 * DNS as far as it takes to have one name that leads to this machine at one moment and into a private network at the next, as
 * somebody's does who wants to be called past a check. All other names are those that the system knows.
 */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { Remembered } from '../remembered.ts'

/** `.test` is nobody's (RFC 2606). */
export const rebindingName = 'rebinding.sandbox.test'
/** the first is told first, and then the other, and so on */
const rebindingTo = ['127.0.0.1', '10.0.0.1'] as const

const types = { a: 1, aaaa: 28 } as const
const codes = { fine: 0, failed: 2, noSuchName: 3 } as const

interface Question {
  readonly name: string
  readonly type: number
  /** as it stands in the packet, to be repeated */
  readonly bytes: Buffer
}

interface Found {
  readonly code: number
  readonly addresses: readonly string[]
}

export interface NameServer {
  readonly port: number
  stop(): Promise<void>
}

export async function startNameServer({ host, port }: { host: string; port: number }): Promise<NameServer> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  /** by query: one that is sent again, for its answer is late, is answered as before */
  const rebound = new Remembered<string>(100)
  let asked = 0
  let stopped = false

  function rebind(query: string): string {
    const before = rebound.get(query)
    if (before !== undefined) return before
    const address = rebindingTo[asked++ % rebindingTo.length] as string
    rebound.set(query, address)
    return address
  }

  async function find({ name, type }: Question, query: string): Promise<Found> {
    if (name === rebindingName) return { code: codes.fine, addresses: type === types.a ? [rebind(query)] : [] }
    if (type !== types.a && type !== types.aaaa) return { code: codes.fine, addresses: [] }
    try {
      const addresses = await (type === types.a ? resolver.resolve4(name) : resolver.resolve6(name))
      return { code: codes.fine, addresses }
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ENODATA') return { code: codes.fine, addresses: [] }
      return { code: code === 'ENOTFOUND' ? codes.noSuchName : codes.failed, addresses: [] }
    }
  }

  socket.on('message', (packet, from) => {
    const question = readQuestion(packet)
    if (!question) return
    void find(question, `${from.port} ${packet.readUInt16BE(0)}`).then((found) => {
      if (!stopped) socket.send(answerTo(packet, question, found), from.port, from.address)
    })
  })
  socket.on('error', () => {})
  const listening = once(socket, 'listening')
  socket.bind(port, host)
  await listening
  return {
    port: socket.address().port,
    async stop() {
      stopped = true
      resolver.cancel()
      await new Promise<void>((done) => socket.close(done))
    },
  }
}

/** The one question of a query; undefined when it is none that can be read. */
function readQuestion(packet: Buffer): Question | undefined {
  if (packet.length < 12 || packet.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let at = 12
  for (;;) {
    const length = packet[at]
    // pointers and what is longer than a label have no place in a query
    if (length === undefined || length > 63 || at + 1 + length > packet.length) return undefined
    at += 1
    if (length === 0) break
    labels.push(packet.toString('latin1', at, at + length).toLowerCase())
    at += length
  }
  if (at + 4 > packet.length) return undefined
  return { name: labels.join('.'), type: packet.readUInt16BE(at), bytes: packet.subarray(12, at + 4) }
}

function answerTo(query: Buffer, { type, bytes }: Question, { code, addresses }: Found): Buffer {
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  // an answer, recursion asked for and available
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    // the name is that of the question
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    // kept for 0 s
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, bytes, ...records])
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const [first = '', second] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [left, right] = [groups(first), groups(second ?? '')]
  const middle = second === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...left, ...middle, ...right].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index)
  return bytes
}
