/** The words of the fields about SMS: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  later: 'SMS — только через десять минут и только тем, кому не отправилось по другим каналам',
  atMost: 'SMS не больше',
  atMostHint: 'считаем части; сверх этого SMS никому не отправим; пусто — сколько понадобится',
}

const en: typeof ru = {
  later: 'SMS only ten minutes later, and only to those to whom nothing else could be sent',
  atMost: 'SMS at most',
  atMostHint: 'counted in parts; nobody is sent one beyond that; empty: as many as it takes',
}

const smsWords = { ru, en } as const

export const useSmsWords = (): typeof ru => smsWords[useStores().language.code.value]
