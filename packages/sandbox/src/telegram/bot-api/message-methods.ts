/** Sending, editing and deleting messages, with everything that can stand in the way. */
import type { World } from '../../world.ts'
import { LineFault, RpcError } from '../rpc.ts'
import type { TlObject } from '../tl/codec.ts'
import { type Bot, type Document, unixTime } from './bot.ts'
import { createDocuments, type Documents } from './documents.ts'
import { FloodControl } from './flood-control.ts'
import type { Methods, Service } from './methods.ts'

/** in UTF-16 units, the strictest way of counting characters */
const maxTextLength = 4096
/** of a caption */
const maxCaptionLength = 1024
/** what a bot has sent it may delete for so long: https://core.telegram.org/bots/api#deletemessage */
const deletableMs = 48 * 3_600_000

export function messageMethods({ world }: Service): Methods {
  const floodControl = new FloodControl()
  const documents = createDocuments({ world })
  const deps = { world, floodControl, documents }
  return {
    ...documents.methods,
    'messages.sendMessage': (call, _caller, bot) => send(deps, bot, call),
    'messages.sendMedia': (call, _caller, bot) => send(deps, bot, call),
    'messages.editMessage': (call, _caller, bot) => edit(deps, bot, call),
    'messages.deleteMessages': (call, _caller, bot) => deleteAll(world, bot, call.id as number[]),
    'messages.setTyping': () => true,
  }
}

interface Deps {
  readonly world: World
  readonly floodControl: FloodControl
  readonly documents: Pick<Documents, 'in'>
}

/** The order of the checks is the service's: what was sent before is answered again whatever else is the matter. */
function send({ world, floodControl, documents }: Deps, bot: Bot, call: TlObject): TlObject {
  const address = addressOf(bot, call.peer as TlObject)
  if (world.takeFault('telegram', 'hang', address)) throw new LineFault('hang')
  if (world.takeFault('telegram', 'disconnect', address)) throw new LineFault('cut')
  const randomId = call.random_id as bigint
  if (randomId === 0n) throw new RpcError(400, 'RANDOM_ID_EMPTY')
  const earlier = bot.answers.get(randomId)
  if (earlier) return earlier

  const document = call.media ? documents.in(call.media as TlObject) : undefined
  const text = checkedText(call.message as string, document)
  const rejected = world.takeFault('telegram', 'reject', address)
  if (rejected) throw refusal(rejected.code ?? 'USER_IS_BLOCKED')
  if (world.refusesOnce('telegram', address, String(randomId))) throw refusal('USER_IS_BLOCKED')
  checkPhone(world, address)
  const throttled = world.takeFault('telegram', 'throttle', address)
  const nowMs = Date.now()
  const waitSeconds = throttled
    ? (throttled.seconds ?? 1)
    : floodControl.take(bot.id, address, world.limits.telegram, nowMs)
  if (waitSeconds > 0) throw new RpcError(420, `FLOOD_WAIT_${waitSeconds}`)

  const id = bot.nextMessageId()
  const markup = call.reply_markup as TlObject | undefined
  bot.sent.set(id, { address, text, markup, document, at: nowMs })
  bot.show(address, id)
  if (markup) bot.keyboards.set(address, id)
  const answer = document ? longAnswer(bot, id, randomId) : shortAnswer(bot, id)
  bot.answers.set(randomId, answer)
  const message = {
    channel: 'telegram',
    address,
    text,
    key: String(randomId),
    at: nowMs,
    providerId: String(id),
  } as const
  world.accept(document ? { ...message, files: [document.file] } : message)
  if (world.takeFault('telegram', 'reply-lost', address)) throw new LineFault('cut')
  return answer
}

const shortAnswer = (bot: Bot, id: number): TlObject => ({
  _: 'updateShortSentMessage',
  out: true,
  id,
  pts: bot.pts,
  pts_count: 0,
  date: unixTime(),
})

/** Of whatever is more than text. */
const longAnswer = (bot: Bot, id: number, randomId: bigint): TlObject => ({
  _: 'updates',
  updates: [{ _: 'updateMessageID', id, random_id: randomId }],
  users: [bot.self()],
  chats: [],
  date: unixTime(),
  seq: 0,
})

function edit({ world, documents }: Deps, bot: Bot, call: TlObject): TlObject {
  const address = addressOf(bot, call.peer as TlObject)
  checkPhone(world, address)
  const throttled = world.takeFault('telegram', 'throttle', address)
  if (throttled) throw new RpcError(420, `FLOOD_WAIT_${throttled.seconds ?? 1}`)
  const id = call.id as number
  const message = bot.sent.get(id)
  if (!message || message.address !== address) throw new RpcError(400, 'MESSAGE_ID_INVALID')
  // what has a document keeps it, and what has none may be given one
  const document = call.media ? documents.in(call.media as TlObject) : message.document
  const text = call.message === undefined ? message.text : checkedText(call.message as string, document)
  const markup = call.reply_markup as TlObject | undefined
  const isSameDocument = document?.id === message.document?.id
  if (text === message.text && isSameDocument && sameMarkup(markup, message.markup))
    throw new RpcError(400, 'MESSAGE_NOT_MODIFIED')
  message.text = text
  message.document = document
  message.markup = markup
  const at = Date.now()
  message.editedAt = at
  if (markup) bot.keyboards.set(address, id)
  else if (bot.keyboards.get(address) === id) bot.keyboards.delete(address)
  const revision = { channel: 'telegram', address, providerId: String(id), text, at } as const
  world.revise(document ? { ...revision, files: [document.file] } : revision)
  const userId = BigInt(address)
  const edited = {
    _: 'message',
    out: true,
    id,
    peer_id: { _: 'peerUser', user_id: userId },
    date: unixTime(),
    message: text,
    reply_markup: markup,
    edit_date: unixTime(),
  }
  return {
    _: 'updates',
    updates: [{ _: 'updateEditMessage', message: edited, pts: bot.pts, pts_count: 0 }],
    users: [bot.user(userId)],
    chats: [],
    date: unixTime(),
    seq: 0,
  }
}

/** Of whichever chats they are; all of them, or none. What is gone already is passed over. */
function deleteAll(world: World, bot: Bot, ids: readonly number[]): TlObject {
  const found = ids.flatMap((id) => {
    const message = bot.sent.get(id)
    return message ? [{ id, message }] : []
  })
  const at = Date.now()
  for (const { message } of found) {
    const throttled = world.takeFault('telegram', 'throttle', message.address)
    if (throttled) throw new RpcError(420, `FLOOD_WAIT_${throttled.seconds ?? 1}`)
    if (at - message.at > deletableMs) throw new RpcError(403, 'MESSAGE_DELETE_FORBIDDEN')
  }
  for (const { id, message } of found) {
    const { address } = message
    bot.sent.delete(id)
    bot.hide(address, id)
    world.revise({ channel: 'telegram', address, providerId: String(id), at })
    if (world.takeFault('telegram', 'reply-lost', address)) throw new LineFault('cut')
  }
  return { _: 'messages.affectedMessages', pts: bot.pts, pts_count: found.length }
}

function sameMarkup(one: TlObject | undefined, other: TlObject | undefined): boolean {
  const inJson = (markup: TlObject | undefined) =>
    JSON.stringify(markup?.rows ?? [], (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  return inJson(one) === inJson(other)
}

/** A bot may leave the access hash at 0 for people who have written to it; a wrong one is never right. */
function addressOf(bot: Bot, peer: TlObject): string {
  const { user_id: userId, access_hash: accessHash } = peer
  if (peer._ !== 'inputPeerUser' || typeof userId !== 'bigint') throw new RpcError(400, 'PEER_ID_INVALID')
  if (accessHash !== 0n && accessHash !== bot.accessHash(userId)) throw new RpcError(400, 'PEER_ID_INVALID')
  return String(userId)
}

function checkPhone(world: World, address: string): void {
  switch (world.phone('telegram', address).state) {
    case 'blocked':
      throw new RpcError(400, 'USER_IS_BLOCKED')
    case 'deactivated':
      throw new RpcError(400, 'INPUT_USER_DEACTIVATED')
    case 'unknown':
      throw new RpcError(400, 'PEER_ID_INVALID')
    case 'off':
    case 'ok':
  }
}

function checkedText(message: string, document: Document | undefined): string {
  const text = message.trim()
  if (document && text.length > maxCaptionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG')
  if (text === '' && !document) throw new RpcError(400, 'MESSAGE_EMPTY')
  if (text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG')
  return text
}

/** The code that goes with an error text: a fault names only the text. */
function refusal(text: string): RpcError {
  if (/^(FLOOD|SLOWMODE)_/.test(text)) return new RpcError(420, text)
  if (/^(AUTH_KEY|SESSION|USER_DEACTIVATED)/.test(text)) return new RpcError(401, text)
  if (/^(INTERNAL|INTERDC|RPC_|WORKER_BUSY)|TIMEOUT|_FAIL/.test(text)) return new RpcError(500, text)
  if (/FORBIDDEN|PRIVACY/.test(text)) return new RpcError(403, text)
  return new RpcError(400, text)
}
