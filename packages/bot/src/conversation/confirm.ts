/** Somebody has pressed the button under a message that confirms it: it is recorded first, then they are told. */
import { confirmPrefix } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import type { Log } from '@courier-fleet/process'
import type { Chat } from '../store/chat.ts'
import type { ClientLanguages } from '../telegram/client-languages.ts'
import type { BotEvent } from '../telegram/events.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { languageOf, wordsOf } from '../texts/index.ts'
import { momentIn, type Words } from '../texts/words.ts'

export interface ConfirmDeps {
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly clientLanguages: Pick<ClientLanguages, 'of'>
  readonly log: Log
}

export async function confirmMessage(
  chat: Chat,
  { address, messageId, queryId, data }: Extract<BotEvent, { kind: 'press' }>,
  { fleet, messenger, clientLanguages, log }: ConfirmDeps,
): Promise<void> {
  const spoken = chat.language ?? chat.ownLanguage
  try {
    const token = data.slice(confirmPrefix.length)
    const { confirmed, language, timeZone } = await fleet.own.confirm({ channel: 'telegram', address, token })
    const inTheirs = spoken ?? languageOf(language)
    const at = momentIn(inTheirs, timeZone)(Date.parse(confirmed.at))
    await messenger.answerPress(queryId, wordsOf[inTheirs].confirmed(at))
    await messenger.dropButtons(address, messageId)
  } catch (error) {
    log.debug({ reason: (error as Error).message }, 'a message could not be confirmed')
    const words = wordsOf[spoken ?? languageOf(clientLanguages.of(address))]
    await messenger.answerPress(queryId, whyNot(error, words))
  }
}

/** Whatever is not the last word may be pressed again. */
function whyNot(error: unknown, words: Words): string {
  const code = error instanceof ApiError ? error.problem.code : undefined
  if (code === 'not-for-you' || code === 'unknown-contact') return words.notForYou
  if (code === 'older-text') return words.olderText
  if (code === 'unknown-confirmation' || code === 'invalid') return words.outOfDate
  return words.pressAgain
}
