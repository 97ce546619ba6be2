/** One patched gramjs client, connected and logged in; used until it is lost, then replaced by another. */
import type { Deadline, Log } from '@courier-fleet/process'
import { type Api, TelegramClient } from 'telegram'
import { Logger } from 'telegram/extensions/index.js'
import type { MTProtoSender } from 'telegram/network/index.js'
import type { TelegramAccount } from './account.ts'
import { insideClient } from './gramjs-internals.ts'
import { createSockets, trustServer } from './own-server.ts'
import { patchContainers } from './patches/containers.ts'
import { LeanSession } from './patches/entities.ts'
import { type Loss, patchLostConnection } from './patches/lost-connection.ts'
import { useNativeNumbers } from './patches/native-numbers.ts'

export interface LiveClient {
  readonly sender: MTProtoSender
  /** the login, to be resumed with */
  readonly session: string
  /** Closes it; its listener is not called afterwards. */
  discard(): Promise<void>
}

export interface Listener {
  /** told once, and only after the client was handed over */
  onLoss(loss: Loss): void
  onUpdates(updates: Api.TypeUpdates): void
}

/** the address is not used with a server of one's own, but gramjs wants one */
const anyDc = { id: 2, address: '127.0.0.1', port: 80 }

/**
 * One attempt. @throws NoAnswer at the deadline, RPCError when Telegram refuses the login, Error when there is no
 * connection
 */
export async function connectClient(
  account: TelegramAccount,
  session: string,
  deadline: Deadline,
  log: Log,
  { onLoss, onUpdates }: Listener,
): Promise<LiveClient> {
  const { server, apiId, apiHash, botToken } = account
  useNativeNumbers()
  if (server) trustServer(server)
  const sockets = createSockets(server)
  const client = new TelegramClient(sessionOf(session, server !== undefined), apiId, apiHash, {
    networkSocket: sockets.Socket,
    // about one handshake in a hundred fails in gramjs, which drops leading zeros of the shared key
    connectionRetries: 3,
    retryDelay: 1,
    requestRetries: 2,
    floodSleepThreshold: 0,
    baseLogger: quietLogger(log),
  })
  client.onError = async (error) => log.debug({ reason: error.message }, 'gramjs reports an error')
  // gramjs's own pings keep the process alive and reconnect by themselves
  insideClient(client)._loopStarted = true

  let live = true
  const lost = new Promise<Loss>((resolve) => {
    patchEverySender(client, (sender) => {
      patchContainers(sender, (error) => log.debug({ reason: String(error) }, 'cannot read what Telegram sent'))
      patchLostConnection(sender, resolve, (updates) => live && onUpdates(updates))
    })
  })
  const discard = async () => {
    live = false
    await client.destroy()
    sockets.closeAll()
  }

  try {
    const login = client.connect().then(async (connected) => {
      if (!connected) throw new Error('cannot connect to Telegram')
      await client.start({ botAuthToken: botToken })
    })
    const cut = lost.then((loss): never => {
      throw new LostWhileConnecting(loss)
    })
    await deadline.race(Promise.race([login, cut]))
  } catch (error) {
    await discard()
    throw error
  }
  void lost.then((loss) => live && onLoss(loss))
  return {
    sender: client._sender as MTProtoSender,
    session: (client.session as LeanSession).save(),
    discard,
  }
}

export class LostWhileConnecting extends Error {
  readonly loss: Loss
  constructor(loss: Loss) {
    super(`connection ${loss === 'closed' ? 'closed' : 'refused: the auth key is unknown'} while logging in`)
    this.loss = loss
  }
}

function sessionOf(text: string, isOwnServer: boolean): LeanSession {
  const session = new LeanSession(text)
  if (!text && isOwnServer) session.setDC(anyDc.id, anyDc.address, anyDc.port)
  return session
}

/** gramjs makes a new sender when Telegram sends it to another data centre: each is patched before it is used. */
function patchEverySender(client: TelegramClient, patch: (sender: MTProtoSender) => void): void {
  let current: MTProtoSender | undefined
  Object.defineProperty(client, '_sender', {
    get: () => current,
    set(sender: MTProtoSender | undefined) {
      current = sender
      if (sender) patch(sender)
    },
  })
}

/** gramjs writes to the console, message texts included; only what it calls a warning is kept, for debugging. */
function quietLogger(log: Log): Logger {
  const logger = new Logger()
  return Object.assign(logger, {
    canSend: () => false,
    debug() {},
    info() {},
    warn: (text: string) => log.debug({ gramjs: text }, 'gramjs warns'),
    error: (text: string) => log.debug({ gramjs: text }, 'gramjs reports an error'),
  })
}
