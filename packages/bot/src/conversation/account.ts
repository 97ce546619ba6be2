/** Who somebody is to the bot: linking and unlinking, STOP and START, the language, what is left of today. */

import type { Client } from '@courier-fleet/client'
import { ApiError } from '@courier-fleet/client'
import { languageOf, wordsOf } from '../texts/index.ts'
import { languages } from '../texts/words.ts'
import type { PersonalTurn, Turn } from './turn.ts'

const channel = 'telegram'

/** The code in what somebody wrote: `/start 12345678`, `КОД 1234 5678`, or nothing but the eight digits. */
export function codeIn(text: string): string | undefined {
  const match = /^(?:\/start(?:@\w+)?\s+|(?:код|code)\s*:?\s*)?(\d(?:[\s-]?\d){7})\s*$/i.exec(text.trim())
  return match?.[1]?.replace(/\D/g, '')
}

export async function redeem(turn: Turn, fleet: Client, code: string): Promise<void> {
  const { chat } = turn
  try {
    const { name, role, language } = await fleet.redeem({ channel, address: chat.address, code })
    // whatever was begun here may have been somebody else's
    for (const left of ['keyboard', 'step', 'draft'] as const) delete chat[left]
    const words = wordsOf[chat.language ?? languageOf(language)]
    await turn.say(`${words.linked(name)}\n\n${words.welcome(name, role !== 'student')}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code: problem } = error.problem
    if (problem === 'wrong-code') await turn.say(turn.words.wrongCode)
    else if (problem === 'too-many-codes') {
      await turn.say(turn.words.tooManyCodes(Math.ceil((error.retryAfter ?? 60) / 60)))
    } else throw error
  }
}

/** STOP or START. */
export async function consent(turn: Turn, fleet: Client, allowed: boolean): Promise<void> {
  await fleet.recordConsent({ channel, address: turn.chat.address, allowed })
  await turn.say(allowed ? turn.words.startedAgain : turn.words.stopped)
}

export async function showLimits(turn: PersonalTurn): Promise<void> {
  await turn.say(turn.words.limits(await turn.fleet.limits(), turn.person.moment))
}

export async function askUnlink(turn: PersonalTurn): Promise<void> {
  const { buttons, askUnlink: text } = turn.words
  const rows = [
    [
      { label: buttons.unlink, action: { do: 'unlink' as const } },
      { label: buttons.keep, action: { do: 'keep' as const } },
    ],
  ]
  await turn.show({ text, rows })
}

export async function unlink(turn: PersonalTurn): Promise<void> {
  await turn.fleet.unlinkContact(channel, turn.person.id)
  delete turn.chat.draft
  delete turn.chat.step
  await turn.show({ text: turn.words.unlinked })
}

export async function askLanguage(turn: Turn): Promise<void> {
  const row = languages.map((language) => ({
    label: wordsOf[language].buttons.language,
    action: { do: 'language' as const, language },
  }))
  await turn.show({ text: 'Язык / Language', rows: [row] })
}
