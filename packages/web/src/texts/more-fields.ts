/** Words of the fields that most messages do without: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  confirm: 'Попросить отметить, что прочитали (кнопка в Telegram и ВКонтакте, ДА по SMS, ссылка в письме)',
  tried: 'Сколько пытаться отправить',
  triedHint: 'Кому за это время отправить не удастся, тот не получит',
  smsLater: 'SMS — только через десять минут и только тем, кому не отправилось по другим каналам',
  smsAtMost: 'SMS не больше',
  smsAtMostHint: 'считаем части; сверх этого SMS никому не отправим; оставьте пустым, если предела нет',
}

const en: typeof ru = {
  confirm: 'Ask people to confirm that they have read it (a button in Telegram and VK, YES by SMS, a link in mail)',
  tried: 'Keep trying for',
  triedHint: 'People we cannot reach by then will not get it',
  smsLater: 'SMS only after ten minutes, and only to people we could not send to another way',
  smsAtMost: 'SMS at most',
  smsAtMostHint: 'counted in parts; above this nobody is sent an SMS; leave empty for no limit',
}

const fieldWords = { ru, en } as const

export const useFieldWords = (): typeof ru => fieldWords[useStores().language.code.value]
