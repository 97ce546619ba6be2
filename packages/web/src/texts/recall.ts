/** The words of the dialog that takes a message back from whoever has it: loaded with it. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Отозвать сообщение?',
  whom: 'Кому ещё не отправлено, те его не получат. В Telegram и VK оно будет удалено у тех, кто его получил, если это ещё возможно; что в Telegram уже не удалить, заменим надписью «Сообщение отозвано».',
  others: 'По SMS и почте отозвать нельзя: там оно останется. На этой странице будет видно, у скольких.',
  yes: 'Да, отозвать',
  done: 'Больше никому не отправим и удаляем у тех, кто получил.',
}

const en: typeof ru = {
  title: 'Withdraw this message?',
  whom: 'Whoever was not sent it yet will not get it. On Telegram and in VK it is deleted at theirs who have it, if that is still possible; what Telegram deletes no more will say "Message withdrawn".',
  others: 'By SMS and mail nothing can be taken back: there they keep it. This page will show how many do.',
  yes: 'Yes, withdraw it',
  done: 'Nobody else is sent it, and it is being deleted at theirs who have it.',
}

const recallWords = { ru, en } as const

export const useRecallWords = (): typeof ru => recallWords[useStores().language.code.value]
