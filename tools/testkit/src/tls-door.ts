/** A door before a server on loopback that speaks TLS with whoever begins so, and passes on what all others say as it is. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import type { Certificate } from './certificate.ts'

export interface TlsDoor {
  readonly port: number
  /** connections by TLS so far, and without */
  readonly made: { encrypted: number; plain: number }
  close(): Promise<void>
}

/** the first byte of whoever begins with a handshake; no command of Redis begins so */
const handshake = 0x16

export async function openTlsDoor(to: number, { key, cert }: Certificate): Promise<TlsDoor> {
  const made = { encrypted: 0, plain: 0 }
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => open.delete(socket))
  }
  function join(from: Socket): void {
    const into = connect(to, '127.0.0.1')
    keep(into)
    from.on('error', () => {})
    from.on('close', () => into.destroy())
    into.on('close', () => from.destroy())
    from.pipe(into).pipe(from)
  }
  const secure = createSecureServer({ key, cert }, (socket) => {
    made.encrypted += 1
    join(socket)
  })
  secure.on('tlsClientError', () => {})
  const door = createServer((socket) => {
    keep(socket)
    socket.once('data', (first: Buffer) => {
      socket.pause()
      socket.unshift(first)
      if (first[0] === handshake) return void secure.emit('connection', socket)
      made.plain += 1
      join(socket)
    })
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    port: (door.address() as AddressInfo).port,
    made,
    async close() {
      const closed = once(door, 'close')
      door.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
