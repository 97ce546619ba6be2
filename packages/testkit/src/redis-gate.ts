import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'

/** A way to a Redis that can be shut, or fall silent: every connection accepted, and never a word. */
export interface RedisGate {
  /** of the same database, through the gate */
  readonly url: string
  /** connections made so far */
  accepted(): number
  fallSilent(): void
  /** New connections are answered again; those that were silent stay so until the other side leaves them. */
  speak(): void
  /** Nobody listens any more, and every connection is cut. */
  refuse(): Promise<void>
  accept(): Promise<void>
  cut(): void
  stop(): Promise<void>
}

export async function redisGate(redisUrl: string): Promise<RedisGate> {
  const target = new URL(redisUrl)
  /** every client, and whether it is still heard */
  const clients = new Map<Socket, { heard: boolean }>()
  let silent = false
  let accepted = 0
  const server: Server = createServer((client) => {
    accepted += 1
    const state = { heard: !silent }
    clients.set(client, state)
    client.on('error', () => {}).on('close', () => clients.delete(client))
    if (silent) return void client.resume()
    const redis = createConnection(Number(target.port), target.hostname)
    client.on('data', (bytes) => state.heard && redis.write(bytes)).on('close', () => redis.destroy())
    redis.on('data', (bytes) => state.heard && client.write(bytes))
    redis.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  const port = await listen(server, 0)
  const cut = () => {
    for (const client of clients.keys()) client.destroy()
  }
  return {
    url: `redis://127.0.0.1:${port}${target.pathname}`,
    accepted: () => accepted,
    fallSilent() {
      silent = true
      for (const state of clients.values()) state.heard = false
    },
    speak() {
      silent = false
    },
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    accept: async () => void (await listen(server, port)),
    cut,
    async stop() {
      cut()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
