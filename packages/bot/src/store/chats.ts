/** The conversations, a file each: read for every change and written whole, so that a crash leaves the old one or the new one. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createSerializer } from '@courier-fleet/inbound'
import type { Log } from '@courier-fleet/process'
import { type Chat, newChat } from './chat.ts'
import { readWhole, writeWhole } from './files.ts'

export interface Chats {
  /**
   * One change at a time per chat, in the order asked for. What `work` has made of the chat is kept when it resolves;
   * nothing is when it rejects.
   */
  change<T>(address: string, work: (chat: Chat) => Promise<T> | T): Promise<T>
  /** As they are kept. For the start: it reads every file. */
  all(): Chat[]
  /** Resolves when no change is under way. */
  idle(): Promise<void>
}

export function openChats(dataDir: string, log: Log): Chats {
  const folder = join(dataDir, 'chats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (address: string) => join(folder, `${address}.json`)
  const serialize = createSerializer()
  const changes = new Set<Promise<unknown>>()

  function read(address: string): Chat {
    try {
      return readWhole<Chat>(pathOf(address)) ?? newChat(address)
    } catch (error) {
      // a damaged conversation must not keep its person from starting another
      log.error({ chat: address, err: error }, 'conversation is damaged; put aside')
      renameSync(pathOf(address), `${pathOf(address)}.damaged`)
      return newChat(address)
    }
  }

  return {
    change(address, work) {
      if (!/^\d{1,19}$/.test(address)) throw new Error('not a Telegram user id')
      const change = serialize(address, async () => {
        const chat = read(address)
        const result = await work(chat)
        writeWhole(pathOf(address), chat)
        return result
      })
      const over = change.catch(() => {}).finally(() => changes.delete(over))
      changes.add(over)
      return change
    },
    all: () =>
      readdirSync(folder)
        .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
        .map(read),
    async idle() {
      while (changes.size > 0) await Promise.all(changes)
    },
  }
}
