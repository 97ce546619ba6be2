/** A line to the service that can be cut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export async function startProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let carriedText = ''
  let lost: RegExp | undefined
  const waiting = new Set<() => void>()

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.on('end', () => near.end())
    far.on('data', (bytes: Buffer) => {
      const text = bytes.toString()
      if (lost?.test(text)) return cut()
      near.write(bytes)
      carriedText += text
      for (const look of waiting) look()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves once the service has said this, all in all. */
    carried: (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => pattern.test(carriedText) && waiting.delete(look) && resolve()
        waiting.add(look)
        look()
      }),
    cut,
    /** Cuts from now on where the service says this, which nobody hears; nothing more is lost when it is undefined. */
    lose(pattern: RegExp | undefined) {
      lost = pattern
    },
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
