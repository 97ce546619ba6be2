/** A service that answers, or does not, as a test says, and remembers what it was asked. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | undefined
  readonly body: string
}
/** undefined: the connection is cut instead of an answer */
export type Answers = (asked: Asked, before: number) => { status: number; body: unknown } | undefined

export async function startService(answers: Answers) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url: path = '', headers } = request
    const now: Asked = { method, path, body, idempotencyKey: headers['idempotency-key'] as string | undefined }
    const before = asked.filter((each) => each.method === method && each.path === path).length
    asked.push(now)
    const answer = answers(now, before)
    if (!answer) request.socket.destroy()
    else
      response.writeHead(answer.status).end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
