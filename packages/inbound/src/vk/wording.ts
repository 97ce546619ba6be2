/** What the community writes, in the language of the person. */
import { languageOf } from '@courier-fleet/words'
import { momentOf } from '../moment.ts'
import type { CommonWording } from '../text-handler.ts'
import { type TopicWording, topicWording } from '../topic-wording.ts'
import { ordersByWord, type WishesWording, wishesWording } from '../wishes-wording.ts'

export interface Wording extends CommonWording, TopicWording, WishesWording {
  readonly greeting: (name: string) => string
  /** to whoever may write to groups, and has tried to here */
  readonly notFromHere: string
  /** over the button that was pressed */
  readonly confirmed: (at: string, timeZone: string) => string
}

const russian: Wording = {
  ...topicWording('ru'),
  ...wishesWording('ru', ordersByWord.ru),
  stopped: 'Больше сюда не пишем. Передумаете — напишите СТАРТ.',
  started: 'Снова пишем сюда. Чтобы прекратить, напишите СТОП.',
  applied: 'Контакт подтверждён, заявка у деканата. Ответ появится на странице, где вы её заполнили.',
  tooManyApplications: 'Сейчас слишком много заявок. Повторите завтра или зайдите в деканат.',
  linked: (name) => `Готово, ${name}: сообщения будут приходить сюда. Чтобы отписаться, напишите СТОП.`,
  wrongCode:
    'Код не подошёл: он неверный, уже использован или устарел. Возьмите новый и пришлите его так: КОД 12345678',
  tooManyCodes: 'Слишком много попыток. Подождите 15 минут и возьмите новый код.',
  unlinkFirst: 'Контакт сотрудника деканата меняется только на его странице: сначала отвяжите прежний.',
  stranger:
    'Здравствуйте! Сюда приходят сообщения университета. Чтобы получать их, возьмите код в деканате или на своей странице и пришлите его сюда: КОД 12345678',
  confirmed: (at, timeZone) => `Отмечено: ${momentOf(at, timeZone, 'ru')}.`,
  optedOut: 'Вы отписались. Чтобы снова получать сообщения, напишите СТАРТ.',
  notFromHere:
    'Ничего не отправлено: отсюда группам не пишут. Напишите на сайте; боту в Telegram или по SMS — если университет их подключил.',
  greeting: (name) =>
    `Здравствуйте, ${name}! Сюда приходят сообщения университета; на ответы здесь никто не смотрит. ПОДПИСКА — темы, на которые можно подписаться. СТОП — не писать сюда, СТАРТ — снова писать. СТОП и название — не присылать один вид сообщений. ТИХО 23-7 — не писать ночью, ТИХО ОБЫЧНО — как у всех.`,
}

const english: Wording = {
  ...topicWording('en'),
  ...wishesWording('en', ordersByWord.en),
  stopped: 'You will get no more messages here. To have them again, write START.',
  started: 'You will get messages here again. To end them, write STOP.',
  applied: 'Your contact is proved, and the office has your application. The answer is on the page where you applied.',
  tooManyApplications: 'There are too many applications now. Try again tomorrow, or ask the office.',
  linked: (name) => `Done, ${name}: messages will come here. To end them, write STOP.`,
  wrongCode: 'This code is wrong, used or expired. Ask for another and send it like this: CODE 12345678',
  tooManyCodes: 'Too many tries. Wait 15 minutes and ask for another code.',
  unlinkFirst: 'A contact of the office changes on its own page only: unlink the old one there first.',
  stranger:
    'Hello! The university writes to its people here. To get its messages, ask for a code at the office or on your own page and send it here: CODE 12345678',
  confirmed: (at, timeZone) => `Noted: ${momentOf(at, timeZone, 'en-GB')}.`,
  optedOut: 'You have opted out. To get messages again, write START.',
  notFromHere:
    'Nothing was sent: groups cannot be written to from here. Write on the website; to the bot in Telegram or by SMS if the university has set them up.',
  greeting: (name) =>
    `Hello, ${name}! Messages from the university come here; nobody reads replies. SUBSCRIBE lists what you can join. STOP ends messages here, START brings them back. STOP and a name ends one type everywhere. QUIET 23-7 stops them at night, QUIET OFF is as everybody has it.`,
}

/** Over the button, where nobody knows the language of whoever pressed it: in at most 90 characters. */
export const notConfirmed = {
  outOfDate: 'Эта кнопка устарела. · This button is out of date.',
  older: 'Текст исправили: подтвердите новый. · The text was corrected: confirm the new one.',
  notForYou: 'Сообщение для другого человека. · This message is for somebody else.',
  pressAgain: 'Не отмечено, нажмите ещё раз через минуту. · Not noted: press again in a moment.',
} as const

/** @param language BCP 47 */
export function wordingFor(language: string): Wording {
  return languageOf(language) === 'ru' ? russian : english
}

/** For somebody whose language nobody knows: Russian, unless what they wrote has only other letters. */
export function wordingLike(text: string): Wording {
  return /\p{L}/u.test(text) && !/\p{Script=Cyrillic}/u.test(text) ? english : russian
}
