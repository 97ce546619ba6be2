/** Somebody's server, over real HTTP: notes what it is asked, and answers as the test says. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

export interface Receiver {
  readonly url: string
  readonly heard: Heard[]
  /** of what is asked from now on */
  answer(how: (response: ServerResponse, heard: Heard) => unknown): void
  close(): Promise<void>
}

/** says `ok` at first */
export async function startReceiver(): Promise<Receiver> {
  const heard: Heard[] = []
  let how: (response: ServerResponse, heard: Heard) => unknown = (response) => response.end('ok')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const asked = { path, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() }
      heard.push(asked)
      how(response, asked)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer(given) {
      how = given
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
