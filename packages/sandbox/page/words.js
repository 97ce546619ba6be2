/** Everything the page says, in the language of the browser. */
const english = {
  language: 'en',
  title: 'Sandbox phones',
  about:
    'These phones stand in for the real ones: a row is a person. Whatever the fleet sends arrives here, live. Behind the people stand systems that are called by URL: give one its secret, and it verifies signatures.',
  find: 'Find people by name or address',
  wall: 'Phones',
  all: 'All',
  channelGroup: 'Channel, and how many messages',
  connecting: 'connecting',
  live: 'live',
  away: 'the sandbox is away; waiting for it',
  notTaken: 'that was not taken',
  nothingFound: 'There is no such phone.',
  nothingYet: 'No phones yet: send something.',
  newer: (count) => `↑ new messages: ${count} more people`,
  counts: 'Messages:',
  latest: (at, who, channel, text) => `Newest · ${at} · ${who} · ${channel}: ${text}`,
  open: 'The phone that is open',
  hint: 'Press a phone to open it: write back, press its buttons, switch it off.',
  close: 'Close the phone',
  strangers: 'A stranger:',
  stranger: 'A stranger',
  playStranger: (channel) => `Open a ${channel} phone that nobody knows`,
  messages: (whose) => `Messages of ${whose}`,
  write: 'Write back',
  writeFrom: (whose) => `Write back from ${whose}`,
  send: 'Send',
  power: 'Switched on',
  states: {
    ok: '',
    off: 'Switched off',
    deactivated: 'The account is deleted',
    unknown: 'Nobody has this address',
  },
  waiting: (count) => (count === 1 ? '1 message is waiting' : `${count} messages are waiting`),
  edited: 'edited',
  delivered: 'delivered',
  expired: 'never arrived: the phone was off for too long',
  silent: 'No messages yet',
  giveSecret: 'Its secret: whsec_…',
  giveSecretTo: (whose) => `The secret of ${whose}`,
  receivers: {
    ok: 'Takes everything',
    slow: 'Takes it, slowly',
    hang: 'Never answers',
    moved: 'Has moved (302)',
    gone: 'Is gone (410)',
    error: 'Fails (500)',
    busy: 'Is busy (429)',
    huge: 'Answers without end',
    cut: 'Takes it, hangs up',
    rebinding: 'Leads inside',
  },
  answered: (status) => `answered ${status}`,
  unanswered: 'no answer',
  tries: (count) => `try ${count}`,
  signatures: {
    valid: 'signature valid',
    unchecked: 'signed, secret not known',
    'no-signature': 'not signed',
    'wrong-signature': 'signature wrong',
    'too-old': 'signature too old',
    'too-new': 'signed in the future',
    'no-json': 'no JSON',
  },
}

const russian = {
  language: 'ru',
  title: 'Телефоны песочницы',
  about:
    'Эти телефоны стоят вместо настоящих: строка — человек. Всё, что отправляет флот, приходит сюда сразу. За людьми стоят системы, которые вызывают по URL: дайте такой её секрет, и она проверит подписи.',
  find: 'Найти по имени или адресу',
  wall: 'Телефоны',
  all: 'Все',
  channelGroup: 'Канал и число сообщений',
  connecting: 'соединение',
  live: 'на связи',
  away: 'песочница не отвечает; ждём её',
  notTaken: 'не принято',
  nothingFound: 'Такого телефона нет.',
  nothingYet: 'Телефонов пока нет: отправьте что-нибудь.',
  newer: (count) => `↑ новые сообщения: ещё ${count} чел.`,
  counts: 'Сообщения:',
  latest: (at, who, channel, text) => `Последнее · ${at} · ${who} · ${channel}: ${text}`,
  open: 'Открытый телефон',
  hint: 'Нажмите на телефон, чтобы открыть его: ответить, нажать кнопку, выключить.',
  close: 'Закрыть телефон',
  strangers: 'Незнакомец:',
  stranger: 'Незнакомец',
  playStranger: (channel) => `Открыть телефон, которого никто не знает: ${channel}`,
  messages: (whose) => `Сообщения: ${whose}`,
  write: 'Ответить',
  writeFrom: (whose) => `Ответить: ${whose}`,
  send: 'Отправить',
  power: 'Включён',
  states: {
    ok: '',
    off: 'Выключен',
    deactivated: 'Аккаунт удалён',
    unknown: 'Такого адреса нет',
  },
  waiting: (count) => `ждёт сообщений: ${count}`,
  edited: 'изменено',
  delivered: 'доставлено',
  expired: 'не дошло: телефон слишком долго был выключен',
  silent: 'Сообщений пока нет',
  giveSecret: 'Секрет: whsec_…',
  giveSecretTo: (whose) => `Секрет: ${whose}`,
  receivers: {
    ok: 'Принимает всё',
    slow: 'Принимает медленно',
    hang: 'Не отвечает',
    moved: 'Переехал (302)',
    gone: 'Закрыт (410)',
    error: 'Отказывает (500)',
    busy: 'Занят (429)',
    huge: 'Отвечает без конца',
    cut: 'Принимает, обрывает',
    rebinding: 'Ведёт внутрь',
  },
  answered: (status) => `ответ ${status}`,
  unanswered: 'без ответа',
  tries: (count) => `попытка ${count}`,
  signatures: {
    valid: 'подпись верна',
    unchecked: 'подписано, секрет неизвестен',
    'no-signature': 'без подписи',
    'wrong-signature': 'подпись неверна',
    'too-old': 'подпись устарела',
    'too-new': 'подписано в будущем',
    'no-json': 'не JSON',
  },
}

const wanted = navigator.languages.find((language) => /^(ru|en)\b/.test(language)) ?? 'en'
export const words = wanted.startsWith('ru') ? russian : english

/** what the channels say of themselves, by name: { name, block?, blocked, stranger? }; a stranger is an address that nobody has */
export const channels = await (await fetch(`/channels?language=${words.language}`)).json()

/** Whose phone it is; a receiver is called by what it does. @param {{ channel: string, address: string, name?: string }} phone */
export function nameInWords({ channel, address, name }) {
  if (name !== undefined || channel !== 'http' || !URL.canParse(address)) return name
  const { pathname, search } = new URL(address)
  return words.receivers[pathname.split('/')[1]] ?? pathname + search
}

/** @param {{ channel: string, state: string }} phone */
export function stateInWords({ channel, state }) {
  return state === 'blocked' ? channels[channel].blocked : words.states[state]
}
