/** The words of the dialog that takes a message back from whoever has it: loaded with it. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Отозвать сообщение?',
  whom: 'Те, кому ещё не отправлено, его не получат. В Telegram и ВКонтакте удалим его, если это ещё возможно. Что в Telegram уже не удалить, заменим надписью «Сообщение отозвано».',
  others: 'По SMS и почте отозвать нельзя: там оно останется. На этой странице будет видно, у скольких.',
  yes: 'Да, отозвать',
  done: 'Больше никому не отправим и удаляем у тех, кто получил.',
}

const en: typeof ru = {
  title: 'Withdraw this message?',
  whom: 'People who were not sent it yet will not get it. In Telegram and VK we delete it, where that is still possible. What Telegram no longer lets us delete will say "Message withdrawn".',
  others: 'SMS and mail cannot be taken back: people keep them. This page will show how many.',
  yes: 'Yes, withdraw it',
  done: 'Nobody else will be sent it. We are deleting it where people have it.',
}

const recallWords = { ru, en } as const

export const useRecallWords = (): typeof ru => recallWords[useStores().language.code.value]
