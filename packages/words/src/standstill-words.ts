/** That nobody is sent a message on a channel now, since when where that is known, and how it goes on. */
import type { Standstill } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { channelName } from './outcome-words.ts'
import { timeOf } from './time-of.ts'
import { wordsIn } from './words-in.ts'

export interface StandstillForm {
  /** Unix ms, on the clock of the reader */
  readonly moment: (ms: number) => string
  /** when it is read, Unix ms: the day is left out where it is that of the reader */
  readonly now: number
}

/** `Nobody is sending on VK at the moment (since 14:05): its messages wait, and go on by themselves.` */
export function standstillWords(
  language: Language,
  { channel, why, since }: Standstill,
  { moment, now }: StandstillForm,
): string {
  const time = since === undefined ? undefined : timeOf(moment(Date.parse(since)), moment(now))
  return wordsIn(language).standstill[why](channelName(language, channel), time)
}
