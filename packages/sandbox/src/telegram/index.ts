/** A stand-in for a Telegram data centre: MTProto 2.0 on the outside, the part of the API a bot uses on the inside. */
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { EndpointOf } from '@courier-fleet/channels'
import type { Chats, IncomingMessage, Phone } from '../stand-in.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import { openAuthKeys } from './auth-keys.ts'
import { Bot } from './bot-api/bot.ts'
import { chatOf } from './bot-api/chat-view.ts'
import { createApi } from './bot-api/service.ts'
import { press, receive, stop } from './bot-api/update-methods.ts'
import { Connection } from './connection.ts'
import { DhGroup } from './dh.ts'
import { createMessageIds } from './outbox.ts'
import type { TlObject } from './tl/codec.ts'
import { loadLayers } from './tl/layers.ts'

/** `ports`: mtproto; in `dataDir` the RSA key and the clients' sessions are kept over restarts */
export interface TelegramDcOptions extends StandInDeps {
  /** the bots there are, `<bot id>:<secret>`; the first one is the endpoint's */
  readonly botTokens?: readonly [string, ...string[]]
}

const defaultBotToken = '7000000001:AA-sandbox-sandbox-sandbox-sandbox-'
const apiId = 10_000
const apiHash = '0123456789abcdef0123456789abcdef'

export async function startStandIn(options: TelegramDcOptions): Promise<StandIn<EndpointOf<'telegram'>>> {
  const { world, log, host = '127.0.0.1', dataDir } = options
  const keys = openAuthKeys(dataDir && join(dataDir, 'telegram-dc.json'))
  const bots = (options.botTokens ?? [defaultBotToken]).map((token) => new Bot(token, world))
  const connections = new Set<Connection>()
  const server = createServer()
  const port = await listen(server, options.ports?.mtproto ?? 0, host)

  const deps = {
    keys,
    log,
    layers: loadLayers(),
    group: new DhGroup(),
    newMessageId: createMessageIds(),
    api: createApi({ world, keys, bots, apiId, apiHash, address: () => ({ host, port }) }),
  }
  server.on('connection', (socket) => {
    const connection = new Connection(socket, deps)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  })

  /** To every session of the bot that listens, as Telegram does: each process of a bot hears everything. */
  const push = (bot: Bot, updates: TlObject) => {
    for (const { session } of connections) {
      if (session?.listening && session.login.botId === bot.id) session.push(updates)
    }
  }
  const carry = (message: IncomingMessage) => {
    if (message.channel !== 'telegram') return
    for (const bot of bots) push(bot, receive(bot, message))
  }
  world.on('say', carry)
  /** A bot is told by those who have a chat with it, and by whoever takes a block back. */
  const carryStop = (phone: Phone, before: Phone) => {
    if (phone.channel !== 'telegram') return
    const [stopped, stoppedBefore] = [phone.state === 'blocked', before.state === 'blocked']
    if (stopped === stoppedBefore) return
    for (const bot of bots) {
      if (!stopped || bot.chats.has(phone.address)) push(bot, stop(bot, phone.address, stopped))
    }
  }
  world.on('phone', carryStop)
  // people on the phones see the endpoint's bot
  const shown = bots[0] as Bot
  const chats: Chats = {
    read(address) {
      const notice = shown.notices.get(address)
      return { messages: chatOf(world, shown, address), ...(notice === undefined ? {} : { notice }) }
    },
    press(address, pressed) {
      const updates = press(shown, address, pressed)
      if (updates) push(shown, updates)
      return updates !== undefined
    },
    addresses: () => shown.chats.keys(),
  }
  const forget = () => shown.chats.clear()
  world.on('forgotten', forget)
  world.chats.telegram = chats
  world.inboundAddresses.telegram = shown.username

  return {
    endpoint: {
      host,
      port,
      apiId,
      apiHash,
      botToken: (bots[0] as Bot).token,
      publicKey: keys.rsa.publicPem,
      fingerprint: String(keys.rsa.fingerprint),
    },
    ports: { mtproto: port },
    async stop() {
      world.off('say', carry)
      world.off('phone', carryStop)
      world.off('forgotten', forget)
      if (world.chats.telegram === chats) delete world.chats.telegram
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections) connection.cut()
      await closed
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}
