/** The words of the dialog that gives a message another text: loaded with it. */
import { useStores } from '../stores.ts'

const ru = {
  text: 'Новый текст',
  whom: 'Те, кому ещё не отправлено, получат новый текст. Прежний исправим прямо в Telegram и ВКонтакте, если это ещё возможно.',
  tell: 'Остальным, кто получил прежний, прислать исправление отдельно (по SMS — ещё одним SMS)',
  save: 'Сохранить новый текст',
  done: 'Прежний текст больше никому не отправим.',
}

const en: typeof ru = {
  text: 'New text',
  whom: 'People who have not been sent it yet get the new text. In Telegram and VK we edit the old one, where that is still possible.',
  tell: 'Send everyone else who got the old text a correction as a separate message (by SMS: one more SMS)',
  save: 'Save the new text',
  done: 'Nobody else will be sent the old text.',
}

const correctWords = { ru, en } as const

export const useCorrectWords = (): typeof ru => correctWords[useStores().language.code.value]
