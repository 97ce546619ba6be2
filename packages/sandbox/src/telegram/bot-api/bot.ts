/** What the service keeps about one bot: what it has sent, what was written to it, which buttons can be pressed. */
import type { SentFile } from '../../stand-in.ts'
import type { World } from '../../world.ts'
import { sha256 } from '../crypto.ts'
import { Writer } from '../tl/bytes.ts'
import type { TlObject } from '../tl/codec.ts'

/** A file that was uploaded. */
export interface Document {
  readonly id: bigint
  readonly file: SentFile
}

export interface SentMessage {
  readonly address: string
  text: string
  markup: TlObject | undefined
  /** it is the caption of this one */
  document: Document | undefined
  /** Unix ms */
  readonly at: number
  editedAt?: number
}

export interface ReceivedMessage {
  /** the bot's event counter after it */
  readonly pts: number
  readonly address: string
  readonly message: TlObject
}

/** Somebody has blocked the bot, or taken that back. */
export interface StopUpdate {
  /** the bot's second event counter after it */
  readonly qts: number
  readonly update: TlObject
}

/** of a chat, so many messages are shown */
const maxShown = 100

export class Bot {
  readonly id: bigint
  readonly token: string
  /** by message id */
  readonly sent = new Map<number, SentMessage>()
  /** by random_id: what was answered, and will be answered again */
  readonly answers = new Map<bigint, TlObject>()
  readonly received: ReceivedMessage[] = []
  readonly stops: StopUpdate[] = []
  readonly receivedById = new Map<number, TlObject>()
  /** presses of buttons that wait for an answer, and who pressed */
  readonly pressed = new Map<bigint, string>()
  /** by address: what was answered to their last press */
  readonly notices = new Map<string, string>()
  /** by address: ids of the latest messages, both ways; whoever had the latest one at the end */
  readonly chats = new Map<string, number[]>()
  /** by address: the latest message with buttons */
  readonly keyboards = new Map<string, number>()
  /** counts what was written to the bot; what it sends itself does not move it */
  pts = 1
  /** counts who blocked it, or took that back */
  qts = 0
  #lastMessageId = 0

  readonly #world: Pick<World, 'phone'>

  constructor(token: string, world: Pick<World, 'phone'>) {
    this.token = token
    this.#world = world
    this.id = BigInt(token.slice(0, token.indexOf(':')))
  }

  /** in links to it */
  get username(): string {
    return `bot${this.id}`
  }

  nextMessageId(): number {
    this.#lastMessageId += 1
    return this.#lastMessageId
  }

  /** Notes that a message stands in this person's chat now. */
  show(address: string, id: number): void {
    const chat = this.chats.get(address) ?? []
    if (chat.push(id) > maxShown) chat.shift()
    this.chats.delete(address)
    this.chats.set(address, chat)
  }

  /** Notes that it does not stand there any more. */
  hide(address: string, id: number): void {
    const chat = this.chats.get(address)
    if (chat?.includes(id)) chat.splice(chat.indexOf(id), 1)
    if (this.keyboards.get(address) === id) this.keyboards.delete(address)
  }

  /** What this bot may name a user by; the same after a restart. */
  accessHash(userId: bigint): bigint {
    return sha256(Buffer.from(this.token), new Writer().long(userId).done()).readBigInt64LE(0)
  }

  self(): TlObject {
    return {
      _: 'user',
      self: true,
      bot: true,
      id: this.id,
      access_hash: this.accessHash(this.id),
      first_name: `Bot ${this.id}`,
      username: this.username,
      bot_info_version: 1,
    }
  }

  user(userId: bigint, deactivated = false): TlObject {
    const { language } = this.#world.phone('telegram', String(userId))
    return {
      _: 'user',
      id: userId,
      access_hash: this.accessHash(userId),
      ...(deactivated ? { deleted: true } : { first_name: `User ${userId}` }),
      ...(language === undefined ? {} : { lang_code: language }),
    }
  }
}

export const unixTime = () => Math.floor(Date.now() / 1000)
