/** What people write to a bot, and how it learns of it: pushed at once, and asked for after a gap. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Press } from '../../stand-in.ts'
import { RpcError } from '../rpc.ts'
import type { TlObject } from '../tl/codec.ts'
import { type Bot, unixTime } from './bot.ts'
import type { Methods, Service } from './methods.ts'

export function updateMethods({ world }: Service): Methods {
  return {
    'updates.getState': (_call, _caller, bot) => stateOf(bot),
    'updates.getDifference': (call, _caller, bot) => differenceSince(bot, call.pts as number, call.qts as number),
    'messages.setBotCallbackAnswer': (call, _caller, bot) => {
      const queryId = call.query_id as bigint
      const address = bot.pressed.get(queryId)
      if (address === undefined) throw new RpcError(400, 'QUERY_ID_INVALID')
      bot.pressed.delete(queryId)
      if (call.message) bot.notices.set(address, call.message as string)
      else bot.notices.delete(address)
      world.emit('changed', { channel: 'telegram', address })
      return true
    },
  }
}

function stateOf(bot: Bot): TlObject {
  return { _: 'updates.state', pts: bot.pts, qts: bot.qts, date: unixTime(), seq: 1, unread_count: 0 }
}

function differenceSince(bot: Bot, pts: number, qts: number): TlObject {
  const missed = bot.received.filter((received) => received.pts > pts)
  const stops = bot.stops.filter((stop) => stop.qts > qts).map(({ update }) => update)
  if (missed.length === 0 && stops.length === 0) return { _: 'updates.differenceEmpty', date: unixTime(), seq: 1 }
  const senders = new Set(missed.map(({ address }) => BigInt(address)))
  return {
    _: 'updates.difference',
    new_messages: missed.map(({ message }) => message),
    new_encrypted_messages: [],
    other_updates: stops,
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
  const messageId = bot.keyboards.get(address)
  const data = messageId === undefined ? undefined : dataOfButton(bot, messageId, text)
  return updatesOf(bot, userId, data ? pressOf(bot, address, messageId as number, data) : write(bot, address, text))
}

/** Somebody pressed a button; the update to push, or undefined when there is nothing to press. */
export function press(bot: Bot, address: string, pressed: Press): TlObject | undefined {
  const message = bot.sent.get(pressed.message)
  if (message?.address !== address) return undefined
  const data = 'data' in pressed ? Buffer.from(pressed.data) : dataOfButton(bot, pressed.message, pressed.label)
  return data && updatesOf(bot, BigInt(address), pressOf(bot, address, pressed.message, data))
}

/** Somebody has blocked the bot, or taken that back: the update to push. */
export function stop(bot: Bot, address: string, stopped: boolean): TlObject {
  bot.qts += 1
  const userId = BigInt(address)
  const update = { _: 'updateBotStopped', user_id: userId, date: unixTime(), stopped, qts: bot.qts }
  bot.stops.push({ qts: bot.qts, update })
  return updatesOf(bot, userId, update)
}

function updatesOf(bot: Bot, userId: bigint, update: TlObject): TlObject {
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
  bot.show(address, message.id as number)
  bot.received.push({ pts: bot.pts, address, message })
  bot.receivedById.set(message.id as number, message)
  return { _: 'updateNewMessage', message, pts: bot.pts, pts_count: 1 }
}

/** The data of the first button with this label, which only buttons that call back have. */
function dataOfButton(bot: Bot, messageId: number, label: string): Buffer | undefined {
  const rows = (bot.sent.get(messageId)?.markup?.rows ?? []) as readonly TlObject[]
  const button = rows
    .flatMap((row) => row.buttons as readonly TlObject[])
    .find(({ _: kind, text }) => kind === 'keyboardButtonCallback' && text === label)
  return button?.data as Buffer | undefined
}

function pressOf(bot: Bot, address: string, messageId: number, data: Buffer): TlObject {
  const queryId = randomBytes(8).readBigInt64LE()
  bot.pressed.set(queryId, address)
  return {
    _: 'updateBotCallbackQuery',
    query_id: queryId,
    user_id: BigInt(address),
    peer: { _: 'peerUser', user_id: BigInt(address) },
    msg_id: messageId,
    chat_instance: 1n,
    data,
  }
}
