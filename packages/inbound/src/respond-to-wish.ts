/** What people wish, said by a text on any channel where people write. */
import { languageOf } from '@courier-fleet/words'
import type { Command } from './read-command.ts'
import type { PersonalText, Response } from './text-handler.ts'
import { type Speaker, setQuiet, switchType } from './wishes.ts'
import type { WishesWording } from './wishes-wording.ts'

type WishCommand = Extract<Command, { kind: 'switch' | 'quiet' }>

/** Of a text. */
export async function respondToWish(
  text: PersonalText,
  command: WishCommand,
  wording: WishesWording,
): Promise<Response> {
  const { who, person, consent, answerKey, dailyKey } = text
  const speaker: Speaker = { person, consent, owner: who.owner, language: languageOf(who.person?.language ?? '') }
  const said =
    command.kind === 'quiet'
      ? await setQuiet(speaker, command.hours, wording)
      : await switchType(speaker, command, wording)
  return { text: said.text, key: said.isDone ? answerKey : dailyKey }
}
