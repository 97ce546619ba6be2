/** What people write to a bot, and how it learns of it: pushed at once, and asked for after a gap. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from '../../stand-in.ts'
import { RpcError } from '../rpc.ts'
import type { TlObject } from '../tl/codec.ts'
import { type Bot, unixTime } from './bot.ts'
import type { Methods } from './service.ts'

export function updateMethods(): Methods {
  return {
    'updates.getState': (_call, _caller, bot) => stateOf(bot),
    'updates.getDifference': (call, _caller, bot) => differenceSince(bot, call.pts as number),
    'messages.setBotCallbackAnswer': (call, _caller, bot) => {
      if (!bot.pressed.delete(call.query_id as bigint)) throw new RpcError(400, 'QUERY_ID_INVALID')
      return true
    },
  }
}

function stateOf(bot: Bot): TlObject {
  return { _: 'updates.state', pts: bot.pts, qts: 0, date: unixTime(), seq: 1, unread_count: 0 }
}

function differenceSince(bot: Bot, pts: number): TlObject {
  const missed = bot.received.filter((received) => received.pts > pts)
  if (missed.length === 0) return { _: 'updates.differenceEmpty', date: unixTime(), seq: 1 }
  const senders = new Set(missed.map(({ address }) => BigInt(address)))
  return {
    _: 'updates.difference',
    new_messages: missed.map(({ message }) => message),
    new_encrypted_messages: [],
    other_updates: [],
    chats: [],
    users: [...senders].map((userId) => bot.user(userId)),
    state: stateOf(bot),
  }
}

/**
 * Somebody wrote to the bot: keeps it and returns the update to push. Saying what stands on a button of the latest message
 * with buttons presses that button; presses are only pushed, as in the real service.
 */
export function receive(bot: Bot, { address, text }: IncomingMessage): TlObject {
  const userId = BigInt(address)
  const update = press(bot, address, text) ?? write(bot, address, text)
  return { _: 'updates', updates: [update], users: [bot.user(userId)], chats: [], date: unixTime(), seq: 0 }
}

function write(bot: Bot, address: string, text: string): TlObject {
  bot.pts += 1
  const message: TlObject = {
    _: 'message',
    id: bot.nextMessageId(),
    peer_id: { _: 'peerUser', user_id: BigInt(address) },
    date: unixTime(),
    message: text,
  }
  bot.received.push({ pts: bot.pts, address, message })
  return { _: 'updateNewMessage', message, pts: bot.pts, pts_count: 1 }
}

function press(bot: Bot, address: string, label: string): TlObject | undefined {
  const messageId = bot.keyboards.get(address)
  const markup = messageId === undefined ? undefined : bot.sent.get(messageId)?.markup
  const rows = (markup?.rows ?? []) as readonly TlObject[]
  const button = rows
    .flatMap((row) => row.buttons as readonly TlObject[])
    .find(({ _: kind, text }) => kind === 'keyboardButtonCallback' && text === label)
  if (!button) return undefined
  const queryId = randomBytes(8).readBigInt64LE()
  bot.pressed.add(queryId)
  return {
    _: 'updateBotCallbackQuery',
    query_id: queryId,
    user_id: BigInt(address),
    peer: { _: 'peerUser', user_id: BigInt(address) },
    msg_id: messageId,
    chat_instance: 1n,
    data: button.data,
  }
}
