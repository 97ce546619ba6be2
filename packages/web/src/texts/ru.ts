import { channelName, createPlural, problemWords } from '@courier-fleet/words'
import { ru as known } from '@courier-fleet/words/ru'
import { channelWords } from './channel-words.ts'
import { composing } from './compose.ru.ts'
import type { Words } from './en.ts'
import { spanOf } from './span-of.ts'

const plural = createPlural('ru')
const numbers = new Intl.NumberFormat('ru')
const number = (count: number) => numbers.format(count)
const people = (count: number) => plural(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })

export const ru: Words = {
  people,
  number,
  known,
  channelName: (leg) => channelName('ru', leg),
  skip: 'К содержанию',
  loading: 'Загрузка…',
  retry: 'Повторить',
  close: 'Закрыть',
  language: 'Язык',

  nav: {
    label: 'Главное меню',
    compose: 'Написать',
    messages: 'Сообщения',
    people: 'Люди',
    groups: 'Группы',
    templates: 'Шаблоны',
    import: 'Загрузка списка',
    service: 'Служба',
    rules: 'Правила',
    integrations: 'Интеграции',
    me: 'Мои контакты',
    signOut: 'Выйти',
  },

  channels: channelWords('ru'),
  roles: {
    student: 'студент',
    trainer: 'преподаватель',
    staff: 'сотрудник',
    operator: 'оператор',
    admin: 'администратор',
    inbound: 'приём сообщений',
  },
  everyRole: {
    student: 'Все студенты',
    trainer: 'Все преподаватели',
    staff: 'Все сотрудники',
    operator: 'Все операторы',
    admin: 'Все администраторы',
  },

  ...composing,

  message: {
    title: 'Сообщение',
    standing: 'Что известно',
    replay: 'Показать, как отправляли',
    for: 'Кому',
    due: 'Время',
    sentAt: 'Начато',
    doneAt: 'Завершено',
    foretold: 'Прогноз',
    inFact: 'На деле',
    progress: 'Ход отправки',
    live: 'Страница обновляется сама.',
    mayBeReported: 'Подтверждения и отказы ещё могут прийти: страница обновляется сама.',
    byClass: 'По именам',
    sender: 'От кого',
    notYours: (sender) =>
      `Это сообщение не ваше: его отправитель — ${sender}. В журнале будет видно, кто его остановил.`,
    release: 'Разрешить отправку',
    released: 'Отправка разрешена.',
    event: 'Связано с событием',
    fromEvent: (offset) =>
      offset === 0
        ? 'в его время'
        : `${offset < 0 ? 'за' : 'через'} ${spanOf(Math.abs(offset), ['с', 'мин', 'ч'])} ${offset < 0 ? 'до него' : 'после него'}`,
    cancelledBy: 'Кто остановил',
    toldBy: 'Выяснил(а)',
    chooseAll: 'Выбрать всех',
    decide: (count) => (count > 0 ? `Решить: ${people(count)}…` : 'Решить о выбранных…'),
    providerId: 'Номер у провайдера',
    detail: 'Ответ провайдера',
    lost: 'Связь прервалась. Сообщение отправляется и без неё; соединяемся снова…',
    moving: 'Данные этого сообщения переезжают на другой сервер. Оно ждёт и само пойдёт дальше.',
    pauses: {
      'slow-down': (channel, seconds) =>
        `${channel} просит помедленнее: продолжим примерно через ${plural(seconds, { one: 'секунду', few: 'секунды', many: 'секунд', other: 'секунды' })}. Остальные ждут.`,
      slow: (channel) => `${channel} принимает не всё сразу: остальные ждут своей очереди.`,
      stuck: (channel) => `${channel} не работает. Сообщите в поддержку.`,
    },
    namedFirst: (count) => `Названы первые ${number(count)}; в CSV есть все.`,
    everyone: 'По каждому человеку',
    csv: 'Скачать CSV',
    again: 'Написать ещё раз',
    remind: (count) => `Напомнить тем, кто не отметил: ${number(count)}`,
    againToRest: 'Написать ещё раз всем, кроме получивших',
    cancel: 'Отменить',
    stop: 'Остановить',
    reschedule: 'Перенести',
    change: 'Изменить текст',
    correct: 'Исправить текст',
    withdraw: 'Отозвать',
    cancelTitle: 'Отменить сообщение?',
    cancelText: 'Его никто не получит. Вернуть будет нельзя.',
    stopTitle: 'Остановить отправку?',
    stopText: 'У тех, кто получил, сообщение останется. Остальные его не получат.',
    cancelYes: 'Да, отменить',
    stopYes: 'Да, остановить',
    keep: 'Нет, оставить',
    rescheduleTitle: 'Когда отправить?',
    save: 'Сохранить',
    nowAtOnce: 'Отправить сейчас',
    cancelled: 'Сообщение отменено.',
    stopping: 'Остановится, когда уйдёт то, что уже в пути.',
    rescheduled: (at) => `Уйдёт ${at}.`,
  },

  waiting: {
    send: (count) => `Отправить сейчас: ${people(count)}…`,
    cancel: (count) => `Не отправлять тем, кто ждёт: ${people(count)}…`,
    sendTitle: 'Отправить им сейчас?',
    sendText: ({ quiet, online }) => {
      const inQuietHours = `тем, у кого тихие часы (${people(quiet)}), который бы час у них ни был`
      const notOnline = `тем, кто должен был сначала появиться в сети (${people(online)}), даже если их там нет`
      const whom = [...(quiet > 0 ? [inQuietHours] : []), ...(online > 0 ? [notOnline] : [])].join(', и ')
      return `Сообщение уйдёт сразу ${whom}. ${quiet > 0 ? 'Их собственные тихие часы' : 'Тихие часы'} соблюдаются.`
    },
    sendYes: 'Да, отправить сейчас',
    cancelTitle: 'Не отправлять тем, кто ждёт?',
    cancelText: ({ online }) => {
      const whom = online > 0 ? `, даже когда появятся в сети (${people(online)})` : ''
      return `Они его не получат${whom}. У тех, кто получил, оно останется. Отменить это нельзя.`
    },
    cancelYes: 'Да, не отправлять',
    sent: (count) => `Отправляем: ${people(count)}.`,
    cancelled: (count) => `Не отправим: ${people(count)}.`,
  },

  peoplePage: {
    title: 'Люди',
    search: 'Поиск по имени или номеру',
    found: (count, more) => `${people(count)}${more ? ' пока что; листайте дальше' : ''}`,
    none: 'Никого не нашлось.',
    groups: 'Группы',
    noGroups: 'Ни в одной группе.',
    contacts: 'Контакты',
    enrol: 'Выдать код',
  },

  groupsPage: {
    title: 'Группы и потоки',
    search: 'Поиск по названию или номеру',
    members: people,
    noneOwned: 'Нет групп и потоков, которым вы можете писать.',
    show: (name) => `Состав: ${name}`,
    write: (name) => `Написать: ${name}`,
  },

  me: {
    title: 'Мои контакты и согласие',
    who: 'Вы',
    zone: 'Часовой пояс',
    intro: 'Сообщения приходят в каналы, привязанные здесь. Вы решаете, в какие можно.',
    states: {
      active: 'привязан',
      blocked: 'вы нас там заблокировали',
      deactivated: 'учётной записи нет',
      invalid: 'неверный адрес',
      'opted-out': 'вы просили не писать',
    },
    personStates: {
      active: 'привязан',
      blocked: 'нас заблокировали',
      deactivated: 'учётной записи нет',
      invalid: 'неверный адрес',
      'opted-out': 'просьба не писать',
    },
    none: 'не привязан',
    link: 'Привязать',
    relink: 'Привязать другой',
    unlink: 'Отвязать',
    stop: 'Не писать сюда',
    start: 'Разрешить писать сюда',
    agreed: (at) => `согласие: ${at}.`,
    code: 'Ваш код',
    until: (at) => `Действует до ${at}, один раз.`,
    open: (channel) => `Открыть ${channel} с этим кодом`,
    qr: (channel) => `QR-код: открывает ${channel} на телефоне`,
    another: 'Другой код',
    lapsed: 'Этот код больше не действует. Возьмите другой.',
    linked: (channel) => `Готово: ${channel} — привязано.`,
    unlinkTitle: (contact) => `Отвязать ${contact}?`,
    unlinkText: 'Сообщения перестанут приходить сюда, пока контакт не привяжут снова.',
    unlinkOthers: 'Они пойдут на остальные номера.',
    unlinkYes: 'Да, отвязать',
    notInDirectory: 'Вас нет в списке людей, поэтому контактов здесь нет.',
  },

  wishes: {
    title: 'О чём писать',
    intro: 'Выберите, какие сообщения получать. Обязательные приходят всё равно, если не остановлен весь канал.',
    mandatory: 'обязательные',
    byChannel: (type) => `${type}: по каналам`,
    on: (what) => `Включено: ${what}`,
    off: (what) => `Отключено: ${what}`,
    quiet: 'Когда не писать',
    quietChoices: {
      fleet: 'В тихие часы, общие для всех',
      own: 'В мои собственные часы',
      never: 'Писать можно всегда',
    },
    quietEnds: { from: 'С', to: 'До' },
    saved: 'Сохранено.',
  },

  decision: {
    title: (count) => `Неизвестно, дошло ли: ${people(count)}`,
    whom: (names, more) => `${names.join(', ')}${more > 0 ? ` и ещё ${people(more)}` : ''}`,
    channel: 'В каком канале',
    what: 'Что сделать?',
    choices: {
      delivered: 'Выяснено: дошло',
      failed: 'Выяснено: не дошло',
      again: 'Отправить им ещё раз',
    },
    kept: 'В сообщении будет видно, кто так решил.',
    twice: 'Может прийти дважды: возможно, первое дошло. В сообщении будет видно, кто так решил.',
    send: 'Отправить ещё раз',
    nothing: 'Оставить как есть',
    done: (count) => `Записано: ${people(count)}.`,
  },

  sessions: {
    title: 'Где вы вошли',
    ofPerson: 'Где выполнен вход',
    opened: (at) => `Вход ${at}`,
    current: 'этот браузер',
    until: (at) => `закончится ${at}, если им не пользоваться`,
    end: 'Завершить',
    endOf: (at) => `Завершить сеанс от ${at}`,
    endOthers: 'Завершить все остальные',
    ended: (count) => `Завершено: ${plural(count, { one: 'сеанс', few: 'сеанса', many: 'сеансов', other: 'сеанса' })}.`,
    none: 'Нигде.',
  },

  topics: {
    title: 'Темы',
    intro:
      'Подпишитесь на то, о чём хотите знать. Отписаться можно в любой момент. Кто подписан, видит только деканат.',
    none: 'Тем, на которые можно подписаться, сейчас нет.',
    closed: 'закрыта: подписывает деканат, отписаться можно самому',
    joined: (name) => `Вы подписаны на «${name}».`,
    left: (name) => `Вы больше не подписаны на «${name}».`,
    add: 'Новая тема',
    edit: (name) => `Изменить «${name}»`,
    editShort: 'Изменить',
  },

  invalid: {
    code: 'В коде восемь цифр.',
    text: 'Напишите текст не длиннее 20 000 знаков.',
    braces: 'Между {{ и }} стоит не имя поля. Его пишут так: {{name}}.',
    ceiling: 'SMS не больше: целое число от 1 или пусто.',
    subject: 'Напишите одну строку, не длиннее 100 знаков.',
    to: 'Выберите, кому: не больше 1000 групп и людей.',
    at: 'Выберите дату и время.',
    name: 'Напишите название на обоих языках, без невидимых знаков.',
    senders: 'Напишите роли и личные номера через запятую.',
    id: 'В номере только латинские буквы, цифры, - и _.',
    person: 'В номере только латинские буквы, цифры, - и _.',
    address: 'Это не похоже на адрес этого канала.',
    resource_id: 'Здесь нужен номер, как его пишут в этом поле.',
  },
  problem: (code) => problemWords('ru', code),
  noAnswer: 'Служба не отвечает. Проверьте связь и повторите.',
}
