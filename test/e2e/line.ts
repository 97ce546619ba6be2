/** A TCP line between a courier and its provider that counts what passes, and can hold the provider's answers back. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  readonly port: number
  /** bytes the courier has sent */
  sent(): number
  /** From now on nothing of what the provider says arrives; it hears the courier as before. */
  hold(): void
  /** What was held arrives, late, and what follows as before. */
  release(): void
  close(): Promise<void>
}

export async function openLine(to: { readonly host: string; readonly port: number }): Promise<Line> {
  const sockets = new Set<Socket>()
  /** each provider's side, and the courier's */
  const providers = new Map<Socket, Socket>()
  let sent = 0
  const server = createServer((courier) => {
    const provider = connect(to.port, to.host)
    providers.set(provider, courier)
    for (const [one, other] of [
      [courier, provider],
      [provider, courier],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {}) // 'close' follows, and ends both
      one.on('close', () => {
        sockets.delete(one)
        providers.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
    courier.on('data', (chunk: Buffer) => {
      sent += chunk.length
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    hold() {
      for (const provider of providers.keys()) provider.unpipe().pause()
    },
    release() {
      for (const [provider, courier] of providers) provider.pipe(courier)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
