import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/vk'
import { noUploads } from '@courier-fleet/testkit'
import type { CourierDeps, Item } from '../../src/courier.ts'
import { createCourier } from '../../src/vk/index.ts'

export const neverAborted = new AbortController().signal

export interface Request {
  readonly method: string
  /** when it came, as performance.now() counts */
  readonly atMs: number
  readonly params: URLSearchParams
}

/** A courier, its VK, and a wire between them that is listened to. */
export async function startFixture(deps: Partial<CourierDeps> = {}, env: Record<string, string> = {}) {
  const world = new World()
  world.limits.vk.callsPerSecond = null
  const vk = await startStandIn({ world, log: silentLog })
  const requests: Request[] = []
  const instead: object[] = []
  const wire = await listenIn(vkApiUrl(vk.endpoint), requests, instead)
  let calls = 0
  const pacer = {
    take: async () => {
      calls++
    },
  }
  const courier = createCourier(
    { VK_TOKEN: vk.endpoint.token, VK_API_BASE_URL: wire.url, VK_TARGET: 'sandbox', ...env },
    { log: silentLog, clock: systemClock, pacer, uploads: noUploads, onReport: async () => {}, ...deps },
  )
  const stop = async () => {
    await courier.stop()
    await wire.close()
    await vk.stop()
  }
  await courier.start(neverAborted).catch(async (error) => {
    await stop()
    throw error
  })
  requests.length = 0
  calls = 0
  return {
    world,
    vk,
    courier,
    requests,
    /** The next request is answered so, and VK knows nothing of it. */
    answerInstead: (body: object) => void instead.push(body),
    calls: () => calls,
    stop,
  }
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>

export function items(count: number, text: string | ((i: number) => string), key = 1000n, span = 100): Item[] {
  return Array.from({ length: count }, (_, i) => ({
    class: 'normal',
    address: String(i + 1),
    text: typeof text === 'string' ? text : text(i),
    key: key + BigInt(Math.floor(i / span)),
  }))
}

async function listenIn(target: string, requests: Request[], instead: object[]) {
  const server = createServer(async (request, response) => {
    const atMs = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const method = (request.url ?? '').slice(1)
    requests.push({ method, atMs, params: new URLSearchParams(body.toString()) })
    const own = instead.shift()
    if (own) return void response.end(JSON.stringify(own))
    try {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const answer = await fetch(`${target}/${method}`, { method: 'POST', headers, body })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
