/** What the bot hears of a chat beside the words: that its person can be written to, or has blocked the bot. */
import { type Fleet, hear } from '@courier-fleet/inbound'
import { type Log, sleep } from '@courier-fleet/process'
import type { Chat } from '../store/chat.ts'
import { languageOf } from '../texts/index.ts'

const retryMs = 2000
const channel = 'telegram'

/** Somebody wrote: they can be written to. Notes the language of the person as well. @throws ApiError · UnreachableError */
export async function hearMessage(chat: Chat, { own }: Fleet): Promise<void> {
  const view = await hear(own, { channel, address: chat.address, heard: 'message' })
  if (view) chat.ownLanguage = languageOf(view.language)
  else delete chat.ownLanguage
}

export interface HearBlockDeps {
  readonly fleet: Fleet
  readonly log: Log
  readonly signal: AbortSignal
}

/** Somebody has blocked the bot, or taken that back. Nobody waits for an answer, so the fleet is waited for. @throws Error when told to stop */
export async function hearBlock(
  address: string,
  blocked: boolean,
  { fleet, log, signal }: HearBlockDeps,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return void (await hear(fleet.own, { channel, address, heard: blocked ? 'denied' : 'allowed' }))
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'cannot tell who has blocked the bot, or taken that back')
      await sleep(retryMs, signal)
    }
  }
}
