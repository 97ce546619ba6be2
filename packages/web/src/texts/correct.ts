/** The words of the dialog that gives a message another text: loaded with it. */
import { useStores } from '../stores.ts'

const ru = {
  text: 'Новый текст',
  whom: 'Те, кому ещё не отправлено, получат новый текст. Прежний, который уже в Telegram или в VK, исправим прямо там, если это ещё возможно.',
  tell: 'Остальным, кто получил прежний, прислать исправление отдельным сообщением (по SMS — ещё одним SMS)',
  save: 'Сохранить новый текст',
  done: 'Прежний текст больше никому не отправим.',
}

const en: typeof ru = {
  text: 'New text',
  whom: 'Whoever has not been sent it yet gets the new text. Where the old one is in Telegram or VK already it is edited there, if that is still possible.',
  tell: 'Send the others who got the old text a message of its own that corrects it (by SMS: one more SMS)',
  save: 'Save the new text',
  done: 'The old text is sent to nobody any more.',
}

const correctWords = { ru, en } as const

export const useCorrectWords = (): typeof ru => correctWords[useStores().language.code.value]
