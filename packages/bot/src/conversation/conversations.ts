/** What people write and press, one event after the other in each chat, and each event once. */
import type { Fleet } from '@courier-fleet/inbound'
import type { Clock, Log } from '@courier-fleet/process'
import type { OutgoingMessage } from '../store/chat.ts'
import { markHandled } from '../store/chat.ts'
import type { Chats } from '../store/chats.ts'
import type { Secret } from '../store/secret.ts'
import type { ClientLanguages } from '../telegram/client-languages.ts'
import type { BotEvent } from '../telegram/events.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { preview } from './compose.ts'
import { handlePress, handleText, withExchange } from './handle-event.ts'
import { hearBlock } from './heard.ts'

export interface Conversations {
  /** Resolves when it has been dealt with; the same event again is not dealt with again. */
  handle(event: BotEvent): Promise<void>
  /** A confirmed message was not taken: tells why and shows it once more, as it was confirmed. */
  giveBack(address: string, message: OutgoingMessage, why: string): Promise<void>
}

export interface ConversationsDeps {
  readonly chats: Chats
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly secret: Secret
  readonly clientLanguages: Pick<ClientLanguages, 'of'>
  readonly clock: Clock
  readonly log: Log
  /** aborted when told to stop */
  readonly signal: AbortSignal
  /** told of what was confirmed, once it is kept */
  onConfirmed(address: string, message: OutgoingMessage): void
}

export function createConversations(deps: ConversationsDeps): Conversations {
  const { chats, messenger, onConfirmed } = deps
  return {
    async handle(event) {
      const confirmed = await chats.change(event.address, async (chat) => {
        if (chat.handled.includes(event.id)) return []
        const known = new Set(chat.outgoing.map(({ key }) => key))
        if (event.kind === 'block') await hearBlock(event.address, event.blocked, deps)
        else await (event.kind === 'press' ? handlePress(chat, event, deps) : handleText(chat, event, deps))
        markHandled(chat, event.id)
        return chat.outgoing.filter(({ key }) => !known.has(key))
      })
      for (const message of confirmed) onConfirmed(event.address, message)
    },

    async giveBack(address, { key, messageId, unsent }, why) {
      await messenger.edit(address, messageId, why)
      await chats.change(address, async (chat) => {
        chat.outgoing = chat.outgoing.filter((message) => message.key !== key)
        // somebody who has begun another message is not to be interrupted
        if (chat.draft || !unsent) return
        chat.draft = unsent
        chat.step = { kind: 'preview' }
        const event = { id: `back ${key}`, replyTo: { messageId } }
        await withExchange(chat, event, deps, async (_exchange, asPerson) => preview(await asPerson(), why))
      })
    },
  }
}
