/** What the patches touch inside gramjs 2.26.22, which is why its version is pinned exactly. */
import type { Socket } from 'node:net'
import type { TelegramClient } from 'telegram'
import type { PromisedNetSockets } from 'telegram/extensions/index.js'
import type { MTProtoSender } from 'telegram/network/index.js'

interface TlMessage {
  readonly obj: { readonly messages: readonly TlMessage[] }
}

interface SenderInternals {
  /** by constructor id, decimal */
  readonly _handlers: Record<string, (message: TlMessage) => Promise<void>>
  _processMessage(message: TlMessage): Promise<void>
}

export function insideSender(sender: MTProtoSender): SenderInternals {
  return sender as unknown as SenderInternals
}

export function insideClient(client: TelegramClient): { _loopStarted: boolean } {
  return client as unknown as { _loopStarted: boolean }
}

export function insideSocket(socket: PromisedNetSockets): { readonly client?: Socket } {
  return socket as unknown as { client?: Socket }
}
