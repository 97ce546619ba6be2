/** The words of the dialog that gives a message another text: loaded with it. */
import type { FollowUp } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

const ru = {
  text: 'Новый текст',
  whom: 'Те, кому ещё не отправлено, получат новый текст. Прежний исправим прямо в Telegram и ВКонтакте, если это ещё возможно.',
  tell: 'Прислать исправление ещё и отдельным сообщением',
  followUps: {
    'where-needed': 'Тем, у кого прежний текст не изменить (по SMS — ещё одним SMS)',
    always: 'Всем, кто получил прежний: об изменении в чате телефон не сообщает',
    never: 'Никому: у остальных останется прежний текст',
  } satisfies Record<FollowUp, string>,
  save: 'Сохранить новый текст',
  done: 'Прежний текст больше никому не отправим.',
}

const en: typeof ru = {
  text: 'New text',
  whom: 'People who have not been sent it yet get the new text. In Telegram and VK we edit the old one, where that is still possible.',
  tell: 'Send the correction as a separate message, too',
  followUps: {
    'where-needed': 'Where the old text cannot be edited (by SMS: one more SMS)',
    always: 'To everyone who got the old text: phones do not announce an edit',
    never: 'To nobody: where it cannot be edited the old text stays',
  },
  save: 'Save the new text',
  done: 'Nobody else will be sent the old text.',
}

const correctWords = { ru, en } as const

export const useCorrectWords = (): typeof ru => correctWords[useStores().language.code.value]
