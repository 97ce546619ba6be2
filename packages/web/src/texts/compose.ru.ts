import { createPlural } from '@courier-fleet/words'
import type { composing as english } from './compose.en.ts'

const plural = createPlural('ru')
const numbers = new Intl.NumberFormat('ru')
const number = (count: number) => numbers.format(count)
const messages = (count: number) =>
  plural(count, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })

export const composing: typeof english = {
  compose: {
    title: 'Новое сообщение',
    to: 'Кому',
    find: 'Группа, поток, человек…',
    chosen: 'Выбрано',
    nobodyChosen: 'Пока никто не выбран.',
    remove: (name) => `Убрать: ${name}`,
    groups: 'Группы',
    cohorts: 'Потоки',
    roles: 'По роли',
    persons: 'Люди',
    looking: 'Ищем…',
    nothingFound: 'Ничего не нашлось.',
    groupCount: (count) => plural(count, { one: 'группа', few: 'группы', many: 'групп', other: 'группы' }),
    text: 'Текст',
    textHint: 'Во все каналы уходит один и тот же текст',
    subject: 'Тема письма',
    subjectHint: (channels) => `${channels}: если оставить пустым, темой станет начало текста`,
    preview: 'Как это придёт',
    split: (count) => `${messages(count)} подряд`,
    andMore: (count) => `и ещё ${messages(count)}`,
    smsEach: (count) => `по ${number(count)} SMS`,
    when: 'Когда',
    now: 'Сейчас',
    later: 'В назначенное время',
    at: 'Дата и время',
    zone: (zone) => `Часовой пояс: ${zone}`,
    class: 'Срочность',
    classes: {
      normal: 'Обычное',
      urgent: 'Срочное: раньше других сообщений',
      bulk: 'Может подождать: после других сообщений',
    },
    type: 'О чём',
    typeHint: 'От этого зависит, по каким правилам его получат',
    more: 'Ещё: о чём, срочность, каналы',
    hours: (count) => plural(count, { one: 'час', few: 'часа', many: 'часов', other: 'часа' }),
    channels: 'Только через',
    ignoreQuiet: 'Отправить и в тихие часы',
    sendAnyway: 'Всё равно отправить',
    send: (audience) => (audience ? `Отправить: ${audience}` : 'Отправить'),
    schedule: (audience) => (audience ? `Запланировать: ${audience}` : 'Запланировать'),
    nobodyGets: 'Отправить некому',
    sending: 'Отправляем…',
    quota: (left, limit) => `Осталось сегодня: ${left} из ${limit}`,
    quotaGone: (until) => `Сообщения на сегодня кончились. Следующее можно отправить ${until}`,
    unlimited: 'Без дневного ограничения',
    unanswered: 'Ответа нет: сообщение могло уйти, а могло и нет. Отправьте ещё раз — дважды оно не уйдёт.',
    chooseFirst: 'Выберите, кому.',
    writeFirst: 'Напишите текст.',
    timeFirst: 'Выберите дату и время.',
  },

  rehearsal: {
    title: 'Кому отправим',
    asking: 'Считаем…',
    nobodyNext:
      'Выберите других людей или другие каналы. Чтобы привязать контакты, раздайте людям коды: страница «Группы».',
    byChannel: 'По каналам',
    channel: 'Канал',
    reachable: 'Можем',
    not: 'Не можем',
    first: (count) => `Названы первые ${number(count)}.`,
  },

  check: {
    title: 'Проверьте перед отправкой',
    back: 'Изменить',
  },

  takeBack: {
    until: (time) => `Ещё ничего не отправлено. Начнём в ${time}; до этого сообщение можно вернуть.`,
    yes: 'Вернуть',
    atOnce: 'Отправить сразу',
    done: 'Сообщение вернули. Его никто не получил.',
  },
}
