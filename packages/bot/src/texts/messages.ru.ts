import { budgetSpentWords, outcomeWords, problemWords, wordsIn } from '@courier-fleet/words'
import { asRead, shortened, unreachableIn, type Words } from './words.ts'

const rules = new Intl.PluralRules('ru')
/** 1 человек, 2 человека, 5 человек */
function count(number: number, one: string, few: string, many: string): string {
  const form = rules.select(number)
  return `${number} ${form === 'one' ? one : form === 'few' ? few : many}`
}
const people = (number: number) => count(number, 'человек', 'человека', 'человек')
const messages = (number: number) => count(number, 'сообщение', 'сообщения', 'сообщений')
const quoted = (names: readonly string[]) => names.map((name) => `«${name}»`).join(', ')
const listed = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n')

const unreachable = unreachableIn('ru')

export const ru: Words = {
  commands: {
    send: 'написать группам',
    templates: 'взять готовый текст',
    history: 'последние сообщения',
    repeat: 'отправить ещё раз',
    reschedule: 'перенести на другое время',
    waiting: 'кто ждёт и что с ними делать',
    cancel: 'отменить',
    limit: 'сколько сообщений осталось',
    topics: 'темы, на которые можно подписаться',
    mute: 'не присылать один вид сообщений',
    unmute: 'снова присылать',
    quiet: 'когда не писать',
    lang: 'язык / language',
    unlink: 'отвязать этот чат',
    stop: 'не получать сообщений',
    help: 'что я умею',
  },
  buttons: {
    group: (name, size) => `${name} · ${size}`,
    cohort: (name, groups) => `поток ${name} · ${count(groups, 'группа', 'группы', 'групп')}`,
    topic: (name, size) => `тема ${name} · ${size}`,
    quiet: (hours) =>
      hours === 'never' ? 'В любое время' : hours === 'fleet' ? 'Как у всех' : `${hours.from}–${hours.to}`,
    chosen: (label) => `✓ ${label}`,
    earlier: '‹ назад',
    further: 'ещё ›',
    showAll: 'показать все',
    done: (chosen) => `Дальше (${chosen})`,
    drop: 'Отмена',
    sendNow: 'Отправить сейчас',
    sendAnyway: 'Всё равно отправить',
    sendWaiting: 'Отправить им сейчас',
    cancelWaiting: 'Отменить только для них',
    schedule: 'Запланировать',
    later: 'Позже…',
    now: 'Лучше сейчас',
    audience: 'Изменить получателей',
    text: 'Изменить текст',
    template: 'Взять шаблон',
    unlink: 'Отвязать',
    keep: 'Оставить',
    again: (getting, of) =>
      getting === of ? `Отправить им ещё раз (${of})` : `Отправить ещё раз: ${getting} из ${of}`,
    toEverybody: 'Всем, кому и в прошлый раз',
    toMissed: (number) => `Лишь тем, до кого не дошло (${number})`,
    move: 'Перенести',
    cancel: 'Отменить',
    stop: 'Остановить',
    language: 'Русский',
  },

  welcome: (name, maySend) =>
    `Здравствуйте, ${name}!\n${maySend ? 'Просто напишите текст сообщения или нажмите /send, чтобы выбрать группы.' : 'Сюда будут приходить сообщения.'}\n/help — что я умею.`,
  stranger:
    'Я вас пока не знаю. Возьмите код в деканате или в личном кабинете и пришлите его сюда: «/start 12345678» или «КОД 12345678».',
  applied: (name) => `${name}, этот чат ваш, и заявка у деканата. Ответ появится на странице, где вы её заполнили.`,
  tooManyApplications: 'Сейчас слишком много заявок. Повторите завтра или зайдите в деканат.',
  linked: (name) => `Готово, ${name}: этот чат привязан к вам.`,
  wrongCode: 'Этот код не подходит: он с ошибкой, уже использован или устарел. Возьмите новый и попробуйте ещё раз.',
  unlinkFirst: 'Контакт оператора или администратора так не сменить: сначала отвяжите прежний на своей странице.',
  tooManyCodes: (minutes) => `Слишком много попыток. Попробуйте через ${count(minutes, 'минуту', 'минуты', 'минут')}.`,
  stopped: 'Хорошо, сообщения сюда больше не придут. Передумаете — напишите /start.',
  startedAgain: 'Сообщения снова будут приходить сюда.',
  stillStopped: 'Вы просили не писать сюда. Напишите /start, чтобы вернуться.',
  mayNotSend: 'Студенты не могут отправлять сообщения; сюда они приходят. /help — что ещё можно.',
  help: (maySend) =>
    `${
      maySend
        ? '/send — написать группам и потокам\n/templates — взять готовый текст\n/history — последние сообщения и что с ними\n/repeat — отправить ещё раз\n/reschedule — перенести на другое время\n/waiting — кто ждёт и что с ними делать\n/cancel — отменить черновик или сообщение\n/limit — сколько сообщений осталось сегодня\n'
        : ''
    }/topics — темы, на которые можно подписаться\n/mute — не присылать один вид сообщений\n/quiet 23-7 — не писать ночью\n/lang — язык\n/stop — не получать сообщений здесь\n/unlink — отвязать этот чат\n\n${
      maySend
        ? 'Время пишите как привыкли: «завтра 8:30», «пт 14:00», «через 2 часа».'
        : 'Если что-то не так, обратитесь в деканат.'
    }`,
  onlyText: 'Я понимаю только текст: картинки, файлы и голос отправить не могу.',
  outOfDate: 'Эта кнопка устарела.',
  olderText: 'Не отмечено: с тех пор текст исправили. Подтвердите новый.',
  confirmed: (moment) => `Отмечено: ${moment}.`,
  notForYou: 'Это сообщение для другого человека.',
  pressAgain: 'Сейчас отметить не получилось. Нажмите ещё раз через минуту.',
  trouble: 'Сервис сейчас не отвечает. Ничего не потеряно, попробуйте через минуту.',
  refused: (code) => problemWords('ru', code),
  dropped: 'Черновик удалён.',
  nothingToDrop: 'Отменять нечего.',
  kept: 'Хорошо, всё остаётся как есть.',
  languageSet: 'Буду писать по-русски.',

  whom: ({ query, found, page, pages, chosen, hasText }) =>
    [
      'Кому отправить? Отметьте группы, потоки или темы; чтобы найти, напишите часть названия.',
      query === '' ? '' : found === 0 ? `По запросу «${query}» ничего нет.` : `Найдено по «${query}»: ${found}.`,
      query !== '' && found === 0 && !hasText
        ? 'Если это текст сообщения, нажмите «показать все», выберите, кому, и напишите его ещё раз.'
        : '',
      pages > 1 ? `Страница ${page} из ${pages}.` : '',
      chosen.length > 0 ? `Выбрано: ${quoted(chosen)}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  noGroups: 'У вас нет групп, потоков и тем, которым вы можете писать. Их назначает деканат.',
  chooseSomebody: 'Отметьте хотя бы одну группу.',
  whatText: (to) => `Кому: ${quoted(to)}.\nТеперь напишите текст сообщения.`,
  nobodyInThere: 'В выбранных группах никого нет.',
  whichTemplate: (page, pages) => `Какой шаблон взять?${pages > 1 ? ` Страница ${page} из ${pages}.` : ''}`,
  noTemplates: 'Шаблонов пока нет. Их заводят сотрудники; а написать своими словами можно через /send.',
  askField: (label, example) => `Напишите: ${label}${example === undefined ? '' : ` (например, ${example})`}.`,
  valueTooLong: (most) => `Слишком длинно: не больше ${count(most, 'знака', 'знаков', 'знаков')}. Напишите короче.`,
  noValue: (number) =>
    `Для ${count(number, 'человека', 'человек', 'человек')} неизвестно то, о чём говорит текст. Напишите одно для всех.`,
  preview: ({ to, text, reader, reach, reached, at, missed, steps, planned, foretold }) =>
    [
      `Кому: ${quoted(to)}.`,
      `Когда: ${at ?? 'сразу'}.`,
      '',
      `${reached.sentence}.`,
      ...(reached.overlap === undefined ? [] : [`${reached.overlap}.`]),
      ...foretold.map((each) => `${each}.`),
      ...(steps.length > 0 ? ['', ...steps] : []),
      ...(planned === undefined ? [] : ['', planned]),
      ...(missed.length > 0
        ? ['', `${wordsIn('ru').reach.nowhere(reach.people - reach.reachable)}:`, listed(missed)]
        : []),
      ...(reach.unreachable.length > missed.length ? [`…и ещё ${reach.unreachable.length - missed.length}`] : []),
      '',
      reader === undefined ? 'Текст:' : `Текст, как его прочтёт ${reader}:`,
      asRead(reach, shortened(text, 1500)),
    ].join('\n'),
  unreachable,

  askWhen: (zone) => `Когда отправить? Например: «завтра 8:30», «пт 14:00», «через 2 часа». Часовой пояс: ${zone}.`,
  askBack: (when, moment) => {
    switch (when.ask) {
      case 'unclear':
        return 'Не понимаю, когда. Напишите, например, «завтра 8:30» или «25 декабря 10:00».'
      case 'no-time':
        return 'А в котором часу? Напишите день и время вместе, например «завтра 8:30».'
      case 'past':
        return `Это уже прошло (${moment(when.meant)}). Напишите время в будущем, например «завтра 8:30».`
      case 'too-far':
        return `Это больше чем через год (${moment(when.meant)}). Напишите время поближе.`
      case 'which':
        return `Можно понять двояко: ${moment(when.either)} или ${moment(when.or)}? Напишите точнее, например «25 декабря 10:00» или «через 2 часа».`
      case 'no-such-time':
        return 'Такого времени в этот день нет: стрелки переводят вперёд. Напишите другое.'
    }
  },

  accepting: 'Принимаю сообщение…',
  progress: (history, moment) => {
    if (history.state === 'issued') return 'Принимаю сообщение…'
    return outcomeWords('ru', history, { moment }).sentence
  },
  outcome: ({ sentence, missed, moreMissed, left }) =>
    [
      sentence,
      ...(missed.length > 0 ? ['', 'Кто мог не получить:', listed(missed)] : []),
      ...(moreMissed ? ['…и другие'] : []),
      ...(left && left.nowhere > 0
        ? [
            '',
            `Писать некуда: ${people(left.nowhere)}. Позвоните им или скажите сами: список — на странице этого сообщения в веб-приложении. Новый контакт привяжет деканат; потом отправьте им ещё раз: /repeat.`,
          ]
        : []),
    ].join('\n'),
  written: (to, text) => [...(to.length > 0 ? [`Кому: ${quoted(to)}.`] : []), 'Текст:', text].join('\n'),
  worse: (text, sentence) => `Сообщение «${text}» дошло не до всех, кому было отправлено. Теперь так: ${sentence}`,
  quota: (again) => `Не отправлено: на сегодня сообщения кончились. Снова можно: ${again}.`,
  audienceChanged: 'Не отправлено: состав групп изменился. Проверьте ещё раз.',
  sameAgain: (sent, number) =>
    `Не отправлено: этот же текст этим же людям (${people(number)}) вы уже отправили: ${sent}. Если так и нужно, нажмите «Всё равно отправить».`,
  notSentInTime: 'Не отправлено: сервис не отвечал слишком долго. Если ещё нужно, отправьте теперь.',
  noLongerYours: 'Этот чат больше не привязан к вам, поэтому я не вижу, что стало с сообщением.',

  limits: ({ limit, left, resetsAt, budgets = [] }, moment) =>
    [
      limit === null
        ? 'Для вас ограничений нет.'
        : `Сегодня осталось: ${messages(left ?? 0)} из ${limit}. Снова все: ${moment(Date.parse(resetsAt ?? ''))}.`,
      ...budgets.map((each) => `${budgetSpentWords('ru', each)}.`),
    ].join('\n'),
  topics: (joined, page, pages) =>
    [
      'Темы. Нажмите, чтобы подписаться или отписаться.',
      joined.length > 0 ? `Вы подписаны: ${quoted(joined)}.` : 'Вы пока ни на что не подписаны.',
      pages > 1 ? `Страница ${page} из ${pages}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  noTopics: 'Тем, на которые можно подписаться, сейчас нет.',
  types: (off, mandatory, page, pages) =>
    [
      'Виды сообщений. Нажмите, чтобы отключить на всех каналах или вернуть.',
      off.length > 0 ? `Отключено: ${quoted(off)}.` : 'Сюда приходят все.',
      mandatory.length > 0 ? `Обязательное, придёт всегда: ${quoted(mandatory)}.` : '',
      'Не писать сюда совсем: /stop',
      pages > 1 ? `Страница ${page} из ${pages}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  nothingToMute: 'Все сообщения обязательные, отдельно их не отключить. Не писать сюда совсем: /stop',
  askUnlink: 'Отвязать этот чат? Сообщения сюда приходить перестанут, писать отсюда будет нельзя.',
  unlinked: 'Чат отвязан. Чтобы вернуться, нужен новый код.',
  unlinkOnPage: 'Оператор и администратор отвязывают чат на своей странице, не здесь.',
  noHistory: 'Вы ещё ничего не отправляли.',
  history: (lines) => ['Последние сообщения:', '', ...lines].join('\n'),
  textGone: wordsIn('ru').textGone,
  historyLine: (when, history, text, to) =>
    [
      `${when} · ${outcomeWords('ru', history).short}`,
      ...(to.length > 0 ? [`Кому: ${quoted(to)}.`] : []),
      text,
      '',
    ].join('\n'),
  askToCancel: (text) => `Отменить это сообщение? Вернуть его будет нельзя.\n\n${text}`,
  askWhomAgain: (text) => `Кому отправить ещё раз?\n\n${text}`,
  nobodyMissed: 'Отправлять больше некому. Посмотрите на сообщение ещё раз.',
  pick: {
    cancel: 'Какое сообщение отменить?',
    reschedule: 'Какое сообщение перенести?',
    repeat: 'Какое сообщение отправить ещё раз?',
    waiting: 'Эти сообщения кто-то ждёт. Какое?',
  },
  nothingToPick: {
    cancel: 'Отменять нечего.',
    reschedule: 'Запланированных сообщений нет.',
    repeat: 'Вы ещё ничего не отправляли.',
    waiting: 'Никто не ждёт.',
  },
  cancelled: (outcome) =>
    outcome === 'cancelled' ? 'Отменено, никому не отправлено.' : 'Останавливаю; кому уже ушло, тому ушло.',
  sentToWaiting: (number, inQuietHours) =>
    number === 0
      ? 'Уже никто не ждёт.'
      : `Отправляю: ${people(number)}. ${inQuietHours ? 'У кого свои тихие часы, ждут их конца.' : 'Тихие часы соблюдаются.'}`,
  cancelledForWaiting: (number) =>
    number === 0
      ? 'Уже никто не ждёт.'
      : `Отменено для тех, кто ждал: ${people(number)}. Для остальных ничего не меняется.`,
  rescheduled: (moment) => `Перенесено: ${moment}.`,
}
