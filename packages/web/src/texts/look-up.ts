/** The words with which operators look up what one person got, save all that is known of them, and erase it: loaded with that. */
import type { ErasureReason } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

interface LookUpWords {
  readonly lookUp: string
  readonly lookUpHint: string
  readonly lookUpWhom: string
  readonly nobodyFound: string
  readonly noMessagesFor: string
  readonly older: string
  readonly data: string
  readonly erase: string
  readonly eraseTitle: (name: string) => string
  readonly eraseText: string
  readonly eraseWhy: string
  readonly eraseReasons: Readonly<Record<ErasureReason, string>>
  readonly eraseYes: string
  readonly eraseNo: string
  readonly erasing: string
  readonly notBegun: string
  readonly acceptedAt: (moment: string) => string
  readonly toldByVoice: (by: string, moment: string) => string
  readonly confirmed: (channel: string, moment: string) => string
}

const en: LookUpWords = {
  lookUp: 'Did they get it?',
  lookUpHint: 'What one person got, message by message, and when. The audit says who has looked.',
  lookUpWhom: 'Whose messages: name or id',
  nobodyFound: 'Nobody was found.',
  noMessagesFor: 'None of the messages that were looked at was for them.',
  older: 'Look at older messages',
  data: 'Save all that is known of them',
  erase: 'Erase…',
  eraseTitle: (name) => `Erase ${name}?`,
  eraseText:
    'All that is known of this person is removed, and every message they have sent; those that are on their way are stopped. Other messages keep their counts, without the name. This cannot be taken back.',
  eraseWhy: 'Why',
  eraseReasons: { 'own-request': 'they have asked for it', left: 'they have left', mistake: 'entered by mistake' },
  eraseYes: 'Erase for good',
  eraseNo: 'Leave as it is',
  erasing: 'Being erased. It goes on by itself, and takes half a minute at least.',
  notBegun: 'not begun, or on no channel yet',
  acceptedAt: (moment) => `accepted ${moment}`,
  toldByVoice: (by, moment) => `told by voice, ${moment}: so says ${by}`,
  confirmed: (channel, moment) => `confirmed: ${channel}, ${moment}`,
}

const ru: LookUpWords = {
  lookUp: 'Дошло ли до человека',
  lookUpHint: 'Что и когда получил один человек. Кто смотрел, записано в журнале.',
  lookUpWhom: 'Чьи сообщения: имя или обозначение',
  nobodyFound: 'Никто не найден.',
  noMessagesFor: 'Среди просмотренных сообщений для этого человека нет ни одного.',
  older: 'Смотреть более старые',
  data: 'Сохранить всё, что о человеке известно',
  erase: 'Стереть…',
  eraseTitle: (name) => `Стереть: ${name}?`,
  eraseText:
    'Будет удалено всё, что известно об этом человеке, и все сообщения, которые он отправил; те, что в пути, остановим. В других сообщениях останется счёт, без имени. Вернуть это нельзя.',
  eraseWhy: 'Почему',
  eraseReasons: {
    'own-request': 'так просит сам человек',
    left: 'больше здесь не учится и не работает',
    mistake: 'внесён по ошибке',
  },
  eraseYes: 'Стереть навсегда',
  eraseNo: 'Оставить как есть',
  erasing: 'Стираем. Это идёт само и займёт не меньше полуминуты.',
  notBegun: 'ещё не началось или ни на одном канале',
  acceptedAt: (moment) => `принято ${moment}`,
  toldByVoice: (by, moment) => `сказали голосом, ${moment}: так отметил ${by}`,
  confirmed: (channel, moment) => `подтверждено: ${channel}, ${moment}`,
}

export const lookUpTexts = { en, ru } as const

export const useLookUpWords = (): LookUpWords => lookUpTexts[useStores().language.code.value]
