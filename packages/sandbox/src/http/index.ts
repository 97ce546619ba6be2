/**
 * A stand-in for systems of others that are called: each URL below it is a receiver, which verifies signatures as soon as it was
 * given a secret, knows a further try by its id, and behaves as the first part of its path says (`behaviours`). A `throttle` asks to
 * be left alone, a `reject` answers with the status `code`.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointOf } from '@courier-fleet/channels'
import { requestLimits, requestTarget } from '@courier-fleet/process'
import { refuses } from '../other-sites.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import { behaviourNames } from './behaviours.ts'
import { http } from './channel.ts'
import { rebindingName, startNameServer } from './name-server.ts'
import {
  BodyTooLarge,
  changeIn,
  readBody,
  replacedIn,
  shownTextOf,
  signatureOf,
  textOf,
  versionIn,
} from './read-call.ts'
import { createReceivers } from './receivers.ts'
import { createReplies } from './replies.ts'
import { createSameness } from './sameness.ts'
import { createTreatment } from './treat-call.ts'

/** `ports`: http and dns */
export async function startStandIn(options: StandInDeps): Promise<StandIn<EndpointOf<'http'>>> {
  const { world, host = '127.0.0.1', names = [], ports = {}, log } = options
  const receivers = createReceivers(world)
  const replies = createReplies()
  const treat = createTreatment(world)
  const isSame = createSameness(world)
  const server = createServer({ ...requestLimits, keepAliveTimeout: 60_000 }, (request, response) => {
    if (refuses(request, response, [...names, rebindingName])) return
    serve(request, response).catch((error) => {
      if (error instanceof BodyTooLarge) response.writeHead(413, { connection: 'close' }).end()
      else if (!request.destroyed) log.error({ err: error }, 'a call failed')
      if (!response.writableEnded) response.destroy()
    })
  })
  world.chats[http] = receivers

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end('a receiver is called by POST')
      return
    }
    const address = `http://${request.headers.host}${request.url}`
    const { path } = requestTarget(request.url)
    const body = await readBody(request)
    const id = String(request.headers['webhook-id'] ?? '')
    const secrets = receivers.secretsOf(address)
    const signature = await signatureOf(request, body, secrets)
    const treated = treat({
      address,
      path,
      id,
      body,
      signature,
      isChecked: secrets.length > 0,
      isSame: isSame(request, { address, id, body }),
    })
    const shown = shownTextOf(body)
    const change = treated.takes ? changeIn(body) : undefined
    if (treated.takes && !isOutdated(address, body)) replace(address, body)
    // the call that changes something stands beside it
    receivers.note(address, change ? body : shown, { id, signature, ...replies.told(treated) })
    replies.give(treated, response)
  }

  function isOutdated(address: string, body: string): boolean {
    const version = versionIn(body)
    return version !== undefined && receivers.isOutdated(address, version)
  }

  /** What came before is as it is said to be now: of another text, or gone where it is withdrawn, or comes anew with this call. */
  function replace(address: string, body: string): void {
    const replaces = replacedIn(body)
    const isCorrected = changeIn(body)?.isRecall === false
    receivers.change(address, replaces, isCorrected ? shownTextOf(body) : undefined)
    for (const providerId of replaces) {
      const said = isCorrected ? { text: textOf(body) } : {}
      world.revise({ channel: http, address, providerId, at: Date.now(), ...said })
    }
  }

  server.listen(ports.http ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dns = await startNameServer({ host, port: ports.dns ?? 0 }).catch((error: unknown) => {
    server.close()
    throw error
  })
  // who listens everywhere is called by name
  const called = host === '0.0.0.0' ? (names[0] ?? 'localhost') : host
  for (const name of behaviourNames) world.setPhone({ channel: http, address: `http://${called}:${port}/${name}` })
  world.setPhone({ channel: http, address: `http://${rebindingName}:${port}/rebinding` })
  return {
    endpoint: { host, port, dnsPort: dns.port },
    ports: { http: port, dns: dns.port },
    async stop() {
      if (!server.listening) return
      replies.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, dns.stop()])
    },
  }
}
