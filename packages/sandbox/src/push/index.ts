/**
 * A stand-in of a push service and of the browsers behind it. Every path below /push/ is the subscription of a browser, whose keys are those
 * of the example in RFC 8291. A `throttle` is 429 with Retry-After, a `reject` the status `code`.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointOf } from '@courier-fleet/channels'
import { requestLimits, requestTarget } from '@courier-fleet/process'
import { createChatLog } from '../chat-log.ts'
import { refuses } from '../other-sites.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import { createTreatment, type Verdict } from './treat.ts'

/** more than is taken: who sends so much is told */
const maxReadBytes = 64 * 1024

/** `ports`: push */
export async function startStandIn(options: StandInDeps): Promise<StandIn<EndpointOf<'push'>>> {
  const { world, host = '127.0.0.1', names = [], ports = {}, log } = options
  const treat = createTreatment(world)
  world.chats.push ??= createChatLog(world, 'push')
  const server = createServer({ ...requestLimits, keepAliveTimeout: 60_000 }, (request, response) => {
    if (refuses(request, response, names)) return
    serve(request, response).catch((error) => {
      if (!request.destroyed) log.error({ err: error }, 'a notification failed')
      response.destroy()
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path } = requestTarget(request.url)
    if (request.method !== 'POST' || !/^\/push\/[\w-]+$/.test(path)) {
      response.writeHead(404).end('there is no such subscription')
      return
    }
    const body = await read(request)
    const endpoint = `http://${request.headers.host}${path}`
    if (body) answer(treat({ endpoint, headers: request.headers, body }), response)
    else response.writeHead(413, { connection: 'close' }).end()
  }

  server.listen(ports.push ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    endpoint: { host, port },
    ports: { push: port },
    async stop() {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(verdict: Verdict, response: ServerResponse): void {
  if (verdict.kind === 'cut') response.destroy()
  else if (verdict.kind === 'status') response.writeHead(verdict.status, verdict.headers).end(verdict.said)
}

/** @returns undefined when it is too long */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxReadBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
