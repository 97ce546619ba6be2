/** Words of the fields that most messages do without: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  confirm: 'Попросить отметить, что прочитали (кнопка в Telegram и ВКонтакте, ДА по SMS, ссылка в письме)',
  tried: 'Сколько пытаться отправить',
  triedHint: 'Кому за это время отправить не удастся, тот не получит',
  smsLater: 'SMS — только через десять минут и только тем, кому не отправилось по другим каналам',
  smsAtMost: 'SMS не больше',
  smsAtMostHint: 'считаем части; сверх этого SMS никому не отправим; пусто — сколько понадобится',
}

const en: typeof ru = {
  confirm: 'Ask people to confirm that they have read it (a button in Telegram and VK, YES by SMS, a link in mail)',
  tried: 'Keep trying for',
  triedHint: 'Whoever cannot be reached by then will not get it',
  smsLater: 'SMS only ten minutes later, and only to those to whom nothing else could be sent',
  smsAtMost: 'SMS at most',
  smsAtMostHint: 'counted in parts; nobody is sent one beyond that; empty: as many as it takes',
}

const fieldWords = { ru, en } as const

export const useFieldWords = (): typeof ru => fieldWords[useStores().language.code.value]
