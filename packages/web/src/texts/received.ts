/** The words of what somebody has received: loaded with their own page. */
import { useStores } from '../stores.ts'

interface ReceivedWords {
  readonly title: string
  readonly hint: string
  readonly none: string
  /** there are older ones to look at */
  readonly noneYet: string
  readonly older: string
  /** @param channel absent: on this page */
  readonly confirmed: (channel: string | undefined, moment: string) => string
  readonly toConfirm: string
}

const ru: ReceivedWords = {
  title: 'Что вам приходило',
  hint: 'Сообщения, которые вам отправлены; коды и ответы службы здесь не хранятся.',
  none: 'Сообщений для вас нет.',
  noneYet: 'Среди просмотренных сообщений для вас ничего нет.',
  older: 'Посмотреть более ранние',
  confirmed: (channel, moment) => `Вы подтвердили: ${channel ?? 'здесь'}, ${moment}`,
  toConfirm: 'Вас просят подтвердить, что вы это прочитали. Нажмите кнопку.',
}

const en: ReceivedWords = {
  title: 'What you have received',
  hint: 'Messages that were sent to you. Codes and answers from the service are not kept here.',
  none: 'There are no messages for you.',
  noneYet: 'There is nothing for you among the messages we looked at.',
  older: 'Look at earlier ones',
  confirmed: (channel, moment) => `You have confirmed it: ${channel ?? 'here'}, ${moment}`,
  toConfirm: 'You are asked to confirm that you have read this. Press the button.',
}

export const useReceivedWords = (): ReceivedWords => (useStores().language.code.value === 'ru' ? ru : en)
