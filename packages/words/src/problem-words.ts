/** What the API refuses, for people: by the code of the problem. Its own words are for those who write programs. */
import type { Language } from './catalogue.ts'

const russian: Readonly<Record<string, string>> = {
  'not-your-audience': 'Вам нельзя писать этим людям.',
  'unknown-audience': 'Такой группы больше нет.',
  'empty-audience': 'Среди выбранных никого нет.',
  'audience-mismatch': 'Состав групп тем временем изменился. Проверьте ещё раз.',
  'past-at': 'Это время уже прошло.',
  'too-far': 'До этого больше года. Выберите время поближе.',
  'expires-before-at': 'Срок сообщения кончится раньше, чем его отправят.',
  'expires-first': 'Срок сообщения кончится раньше, чем его отправят.',
  cancelled: 'Это сообщение уже отменили.',
  'already-started': 'Поздно: сообщение уже отправляется.',
  'already-settled': 'Поздно: всё уже завершено.',
  'another-body': 'Под этим номером уже отправлено другое сообщение.',
  'too-large': 'Слишком длинно. Сократите текст или разделите его.',
  invalid: 'В сообщении что-то не так: пустой или слишком длинный текст.',
  quota: 'Сообщения на сегодня кончились.',
  'not-allowed': 'Вам это не разрешено.',
  'not-your-history': 'Это чужое сообщение.',
  'unknown-key': 'Такого сообщения нет.',
  'unknown-contact': 'Этот адрес ни к кому не привязан.',
  'opted-out': 'Вы отписались от сообщений здесь.',
  'wrong-code': 'Код неверен, использован или устарел.',
  'too-many-codes': 'Слишком много попыток. Подождите несколько минут.',
  'unknown-channel': 'Такого канала нет.',
}

const english: Readonly<Record<string, string>> = {
  'not-your-audience': 'You may not write to these people.',
  'unknown-audience': 'There is no such group any more.',
  'empty-audience': 'There is nobody among those chosen.',
  'audience-mismatch': 'The groups have changed meanwhile. Look again.',
  'past-at': 'That time has passed.',
  'too-far': 'That is more than a year ahead. Choose a nearer time.',
  'expires-before-at': 'The message would expire before it is sent.',
  'expires-first': 'The message would expire before it is sent.',
  cancelled: 'This message was cancelled before.',
  'already-started': 'Too late: it is being sent already.',
  'already-settled': 'Too late: it is over already.',
  'another-body': 'Another message was sent under this number before.',
  'too-large': 'Too long. Shorten the text, or divide it.',
  invalid: 'Something is wrong with the message: the text is empty or too long.',
  quota: "Today's messages are used up.",
  'not-allowed': 'You may not do that.',
  'not-your-history': 'This is the message of somebody else.',
  'unknown-key': 'There is no such message.',
  'unknown-contact': 'Nobody has linked this address.',
  'opted-out': 'You have asked for no messages here.',
  'wrong-code': 'This code is wrong, was used, or has lapsed.',
  'too-many-codes': 'Too many tries. Wait a few minutes.',
  'unknown-channel': 'There is no such channel.',
}

const otherwise: Readonly<Record<Language, string>> = {
  ru: 'Не получилось: так сделать нельзя. Если это повторится, обратитесь в поддержку.',
  en: 'That did not work: it cannot be done. If it happens again, tell support.',
}

/** In a sentence or two that says what to do next where that helps; one for everything else where the code has none. */
export function problemWords(language: Language, code: string): string {
  return (language === 'ru' ? russian : english)[code] ?? otherwise[language]
}

/** The codes that have words of their own. */
export const wordedProblems = (language: Language): readonly string[] =>
  Object.keys(language === 'ru' ? russian : english)
