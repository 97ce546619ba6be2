/** A door before the API that can be kept shut for one kind of call. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ApiGate {
  readonly url: string
  /**
   * The next call of this method and path is carried out, and its answer lost: the caller hears nothing until the gate is
   * opened or it goes away. Resolves when that call has been carried out.
   */
  swallow(method: string, path: RegExp): Promise<void>
  /** The next such call waits at the gate and is never carried out. Resolves when it has come. */
  stop(method: string, path: RegExp): Promise<void>
  close(): Promise<void>
}

export async function openApiGate(apiUrl: string): Promise<ApiGate> {
  const { hostname, port } = new URL(apiUrl)
  let traps: { kind: 'swallow' | 'stop'; method: string; path: RegExp; sprung: () => void }[] = []
  const trap = (kind: 'swallow' | 'stop') => (method: string, path: RegExp) =>
    new Promise<void>((resolve) => traps.push({ kind, method, path, sprung: resolve }))

  // as long as the queue keeps them open, which is what it tells those who call
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const trapped = traps.find((each) => each.method === method && each.path.test(url))
    traps = traps.filter((each) => each !== trapped)
    if (trapped?.kind === 'stop') return trapped.sprung()
    const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
      if (trapped) {
        answer.resume()
        answer.once('end', trapped.sprung)
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow: trap('swallow'),
    stop: trap('stop'),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
