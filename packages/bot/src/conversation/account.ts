/** Who somebody is to the bot: linking and unlinking, STOP and START, the language, what is left of today. */

import { isCode } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { ApiError } from '@courier-fleet/client'
import { languages } from '@courier-fleet/words'
import { languageOf, wordsOf } from '../texts/index.ts'
import type { Exchange, PersonalExchange } from './exchange.ts'

const channel = 'telegram'

/** The code in what somebody wrote: `/start 12345678`, `КОД 1234 5678`, or nothing but its digits. */
export function codeIn(text: string): string | undefined {
  const match = /^(?:\/start(?:@\w+)?\s+|(?:код|code)\s*:?\s*)?(\d(?:[\s-]?\d)*)\s*$/i.exec(text.trim())
  const digits = match?.[1]?.replace(/\D/g, '')
  return digits !== undefined && isCode(digits) ? digits : undefined
}

export async function redeem(exchange: Exchange, fleet: Client, code: string): Promise<void> {
  const { chat } = exchange
  try {
    const { name, role, language, applied } = await fleet.redeem({ channel, address: chat.address, code })
    if (applied) return await exchange.say(wordsOf[chat.language ?? languageOf(language)].applied(name))
    // whatever was begun here may have been somebody else's
    for (const left of ['keyboard', 'step', 'draft'] as const) delete chat[left]
    const words = wordsOf[chat.language ?? languageOf(language)]
    await exchange.say(`${words.linked(name)}\n\n${words.welcome(name, role !== 'student')}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code: problem } = error.problem
    if (problem === 'wrong-code') await exchange.say(exchange.words.wrongCode)
    else if (problem === 'too-many-applications') await exchange.say(exchange.words.tooManyApplications)
    else if (problem === 'unlink-first') await exchange.say(exchange.words.unlinkFirst)
    else if (problem === 'too-many-codes') {
      await exchange.say(exchange.words.tooManyCodes(Math.ceil((error.retryAfter ?? 60) / 60)))
    } else throw error
  }
}

/** STOP or START. */
export async function consent(exchange: Exchange, fleet: Client, allowed: boolean): Promise<void> {
  await fleet.recordConsent({ channel, address: exchange.chat.address, allowed })
  await exchange.say(allowed ? exchange.words.startedAgain : exchange.words.stopped)
}

export async function showLimits(exchange: PersonalExchange): Promise<void> {
  await exchange.say(exchange.words.limits(await exchange.fleet.limits(), exchange.person.moment))
}

export async function askUnlink(exchange: PersonalExchange): Promise<void> {
  const { buttons, askUnlink: text } = exchange.words
  const rows = [
    [
      { label: buttons.unlink, action: { do: 'unlink' as const } },
      { label: buttons.keep, action: { do: 'keep' as const } },
    ],
  ]
  await exchange.show({ text, rows })
}

export async function unlink(exchange: PersonalExchange): Promise<void> {
  try {
    await exchange.fleet.unlinkContact(channel, exchange.person.id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'not-allowed') throw error
    return void (await exchange.show({ text: exchange.words.unlinkOnPage }))
  }
  delete exchange.chat.draft
  delete exchange.chat.step
  await exchange.show({ text: exchange.words.unlinked })
}

export async function askLanguage(exchange: Exchange): Promise<void> {
  const row = languages.map((language) => ({
    label: wordsOf[language].buttons.language,
    action: { do: 'language' as const, language },
  }))
  await exchange.show({ text: 'Язык / Language', rows: [row] })
}
