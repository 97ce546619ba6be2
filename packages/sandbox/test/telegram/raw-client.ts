/** gramjs as it comes, led to the stand-in; only what keeps it from telling the truth about several answers at once is mended. */
import { createPublicKey } from 'node:crypto'
import type { EndpointOf } from '@courier-fleet/channels'
import { patchContainers } from '@courier-fleet/gramjs'
import bigInt from 'big-integer'
import { Api, TelegramClient } from 'telegram'
import { _serverKeys } from 'telegram/crypto/RSA.js'
import { Logger, PromisedNetSockets } from 'telegram/extensions/index.js'
import { LogLevel } from 'telegram/extensions/Logger.js'
import type { Connection, MTProtoSender } from 'telegram/network/index.js'
import { RequestState } from 'telegram/network/RequestState.js'
import { StringSession } from 'telegram/sessions/index.js'

export interface RawClient {
  readonly client: TelegramClient
  readonly sender: MTProtoSender
  /** to be resumed with */
  readonly session: string
  /** The call as it is, without the retries of client.invoke. */
  call(request: Api.AnyRequest): Promise<unknown>
  send(address: string, randomId: number, text?: string): Promise<Api.UpdateShortSentMessage>
  close(): Promise<void>
}

export interface RawClientOptions {
  readonly connection?: typeof Connection
  /** a session to resume; logs in anew when absent */
  readonly session?: StringSession
  readonly botToken?: string
  /** what is done to each sender before it is used: unless told otherwise, errors in containers are patched */
  readonly prepare?: (sender: MTProtoSender) => void
}

export async function connectRawClient(
  endpoint: EndpointOf<'telegram'>,
  options: RawClientOptions = {},
): Promise<RawClient> {
  const client = rawClient(endpoint, options)
  try {
    if (!(await client.connect())) throw new Error('cannot connect')
    await client.start({ botAuthToken: options.botToken ?? endpoint.botToken })
  } catch (error) {
    await client.destroy()
    throw error
  }
  const sender = client._sender as MTProtoSender
  const call = (request: Api.AnyRequest) => {
    const state = new RequestState(request)
    sender.addStateToQueue(state)
    return state.promise as Promise<unknown>
  }
  return {
    client,
    sender,
    session: (client.session as StringSession).save(),
    call,
    send: (address, randomId, text) =>
      call(sendMessage(address, randomId, text)) as Promise<Api.UpdateShortSentMessage>,
    close: () => client.destroy(),
  }
}

export function sendMessage(address: string, randomId: number, text = 'привет'): Api.messages.SendMessage {
  const peer = new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero })
  return new Api.messages.SendMessage({ peer, message: text, randomId: bigInt(randomId) })
}

function rawClient(endpoint: EndpointOf<'telegram'>, options: RawClientOptions = {}): TelegramClient {
  const { n, e } = createPublicKey(endpoint.publicKey).export({ format: 'jwk' }) as { n: string; e: string }
  _serverKeys.set(endpoint.fingerprint, {
    n: bigInt(Buffer.from(n, 'base64url').toString('hex'), 16),
    e: Number.parseInt(Buffer.from(e, 'base64url').toString('hex'), 16),
  })
  class Socket extends PromisedNetSockets {
    override connect(): Promise<unknown> {
      return super.connect(endpoint.port, endpoint.host)
    }
  }
  const session = options.session ?? new StringSession('')
  if (!session.serverAddress) session.setDC(2, '127.0.0.1', 80)
  const client = new TelegramClient(session, endpoint.apiId, endpoint.apiHash, {
    networkSocket: Socket,
    // about one handshake in a hundred fails in gramjs, which drops leading zeros of the shared key
    connectionRetries: 5,
    retryDelay: 1,
    requestRetries: 1,
    floodSleepThreshold: 0,
    baseLogger: new Logger(LogLevel.NONE),
    ...(options.connection ? { connection: options.connection } : {}),
  })
  // its ping loop would keep the tests from ending
  Object.assign(client, { _loopStarted: true })
  const prepare = options.prepare ?? ((sender) => patchContainers(sender, () => {}))
  let current: MTProtoSender | undefined
  Object.defineProperty(client, '_sender', {
    get: () => current,
    set(sender: MTProtoSender | undefined) {
      current = sender
      if (sender) prepare(sender)
    },
  })
  return client
}

/** The text of Telegram's refusal. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    return (error as { errorMessage?: string }).errorMessage ?? String(error)
  }
  throw new Error('it was not refused')
}
