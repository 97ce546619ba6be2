/**
 * A stand-in for api.vk.com, version 5.199: what the real one enforces towards a community token is enforced here, and
 * the world's faults apply to the requests that send or change messages (`messages.send`, `messages.edit`, `messages.delete`,
 * `execute`). A `disconnect` or `reply-lost` with the code 502 answers with a gateway's error page instead of cutting the connection.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointOf } from '@courier-fleet/channels'
import { isSameSecret, requestLimits, requestTarget } from '@courier-fleet/process'
import { createChatLog } from '../chat-log.ts'
import type { Fault } from '../faults.ts'
import { refuses } from '../other-sites.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import type { World } from '../world.ts'
import { createCallRate } from './call-rate.ts'
import { createDocuments } from './documents.ts'
import { addressees, changesChats, execute } from './execute.ts'
import { createKeyboards } from './keyboards.ts'
import { createLongPoll } from './long-poll.ts'
import { createMethods, screenNameOf } from './methods.ts'
import { BodyTooLarge, type Params, readParams } from './read-params.ts'
import { replyJson } from './reply-json.ts'
import { VkError } from './vk-error.ts'

/** `ports`: http */
export interface VkApiOptions extends StandInDeps {
  readonly token?: string
}

const groupId = 239_000_001

export async function startStandIn(options: VkApiOptions): Promise<StandIn<EndpointOf<'vk'>>> {
  const { world, host = '127.0.0.1', names, token = 'vk1.a.sandbox', log } = options
  const server = createServer({ ...requestLimits, keepAliveTimeout: 60_000 }, (request, response) => {
    if (!refuses(request, response, names)) void serve(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.ports?.http ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://${host}:${port}`
  world.inboundAddresses.vk = screenNameOf(groupId)
  const longPoll = createLongPoll(world, groupId, `${origin}/longpoll`)
  const keyboards = createKeyboards(world, longPoll.tellPress)
  world.chats.vk ??= createChatLog(world, 'vk', keyboards)
  const documents = createDocuments(world, groupId, `${origin}/upload`)
  const methods = createMethods({ world, groupId, longPoll, keyboards, documents })
  const mayCall = createCallRate(() => performance.now())

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const target = requestTarget(request.url)
      const query = new URLSearchParams(target.query)
      if (target.path === '/longpoll') return longPoll.handle(query, response)
      const upload = /^\/upload\/(\w+)$/.exec(target.path)?.[1]
      if (upload) return await documents.receive(request, upload, response)
      const name = /^\/method\/([\w.]+)$/.exec(target.path)?.[1]
      if (name) answer(name, await readParams(request, query), response)
      else response.writeHead(404).end()
    } catch (error) {
      if (error instanceof BodyTooLarge) response.writeHead(413, { connection: 'close' }).end()
      else if (!request.destroyed) log.error({ err: error }, 'vk request failed')
      if (!response.writableEnded) response.destroy()
    }
  }

  function answer(name: string, params: Params, response: ServerResponse): void {
    const sends = name === 'execute' || changesChats(name)
    const fault = sends ? takeFault(world, name, params) : undefined
    if (fault?.kind === 'hang') return
    const body = fault?.kind === 'disconnect' ? undefined : attempt(name, params, fault)
    if (fault?.kind === 'disconnect' || fault?.kind === 'reply-lost') breakOff(fault, response)
    else replyJson(response, body)
  }

  function attempt(name: string, params: Params, fault: Fault | undefined): unknown {
    try {
      const given = params.get('access_token')
      if (!isSameSecret(given, token)) throw new VkError(5, given ? undefined : 'no access_token passed.')
      if (!params.get('v')) throw new VkError(8)
      if (!mayCall(world.limits.vk.callsPerSecond)) throw new VkError(6)
      // VK names no seconds: a short slow-down is "too many requests", a longer one is flood control
      if (fault?.kind === 'throttle') throw new VkError((fault.seconds ?? 1) <= 1 ? 6 : 9)
      return name === 'execute' ? execute(params, call, isErrorLost) : { response: call(name, params) }
    } catch (error) {
      if (!(error instanceof VkError)) throw error
      return { error: { error_code: error.code, error_msg: error.message, request_params: withoutToken(params) } }
    }
  }

  const isErrorLost = (name: string, params: Params) =>
    addressees(name, params).some((peer) => world.takeFault('vk', 'error-lost', peer) !== undefined)

  function call(name: string, params: Params): unknown {
    const method = methods.get(name)
    if (!method) throw new VkError(3)
    return method(params)
  }

  return {
    endpoint: { host, port, token, groupId },
    ports: { http: port },
    async stop() {
      if (!server.listening) return
      longPoll.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function takeFault(world: World, name: string, params: Params): Fault | undefined {
  if (!world.faults().some(({ channel }) => channel === 'vk')) return undefined
  const peers = addressees(name, params)
  for (const kind of ['disconnect', 'hang', 'throttle', 'reply-lost'] as const)
    for (const peer of peers) {
      const fault = world.takeFault('vk', kind, peer)
      if (fault) return fault
    }
  return undefined
}

function breakOff(fault: Fault, response: ServerResponse): void {
  if (fault.code !== '502') {
    response.destroy()
    return
  }
  response.writeHead(502, { 'content-type': 'text/html' })
  response.end('<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>')
}

function withoutToken(params: Params): { key: string; value: string }[] {
  return [...params].filter(([key]) => key !== 'access_token').map(([key, value]) => ({ key, value }))
}
