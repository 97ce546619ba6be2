/** The words of the settings of the fleet that are no rules about people: loaded with their form. */
import { useStores } from '../stores.ts'

const en = {
  title: 'More settings',
  consent: 'Who may be written to',
  consents: {
    required: 'only who has agreed by themselves',
    'import-is-enough': 'everyone whose address we have',
  },
  language: 'Language of those whose own is not among the texts of a message',
  languageHint: 'Such as ru or en. It counts for messages that are accepted from then on.',
  retentionDays: 'So many days a message is kept after it is over',
  retentionHint:
    'Then it is forgotten, with all that is known of who got it. At least as long as the longest time of a rule.',
  quietJitterSeconds: 'After quiet hours, within how many seconds those who waited are written to',
  jitterHint: 'Not all at once; 0: at once.',
  onlineIntervalSeconds: 'At least so many seconds between two messages to somebody who has come online',
  onlineHint: 'For what waits until they are online; 0: no such time.',
  weights: 'How sending is shared while all three wait: so many parts for',
  classes: { urgent: 'urgent messages', normal: 'normal messages', bulk: 'bulk messages' },
  recheckHosts: 'Hosts that teachers may have asked before a message is sent',
  recheckHint: 'One a line, such as timetable.example.org.',
  tellRead: 'Where it is told who has read',
  tellReadHint:
    'Turn the event “Message read” on in the settings of the community first (Manage, API usage, Long Poll API). Then a step may wait for those who have not read.',
  prices: 'What an SMS costs',
  noPrices: 'Nobody has said what an SMS costs: costs are not told, and budgets cannot be set in money.',
  currency: 'Currency',
  currencyHint: 'Three capital letters, such as RUB.',
  prefix: 'Numbers that begin with',
  prefixHint: 'The longest beginning that fits counts; + is every number.',
  perPart: 'Price of one part',
  add: 'Add a price',
  remove: (prefix: string) => `Remove ${prefix}`,
  setPrices: 'Prices are set',
  whole: (min: string, max: string) => `Write a whole number from ${min} to ${max}.`,
  positive: (max: string) => `Write a number above 0, at most ${max}.`,
  wrongLanguage: 'Write a language such as ru or en.',
  wrongHost: 'Write one host name a line, in small letters, such as timetable.example.org.',
  wrongPrices: 'Write a currency such as RUB, and for each beginning, such as +79, once, a price of 0 or more.',
}
type MoreSettingsWords = typeof en

const ru: MoreSettingsWords = {
  title: 'Другие настройки',
  consent: 'Кому можно писать',
  consents: { required: 'только кто согласился сам', 'import-is-enough': 'всем, чей адрес есть в списке' },
  language: 'Язык тех, на чьём языке у сообщения нет текста',
  languageHint: 'Например, ru или en. Действует для сообщений, принятых с этого времени.',
  retentionDays: 'Сколько дней хранить сообщение, когда с ним всё кончено',
  retentionHint:
    'Потом оно забывается вместе со всем, что известно о получателях. Не меньше самого долгого срока в правилах.',
  quietJitterSeconds: 'За сколько секунд после тихих часов пишем тем, кто ждал',
  jitterHint: 'Не всем сразу; 0 — сразу.',
  onlineIntervalSeconds: 'Сколько секунд самое меньшее между двумя сообщениями тому, кто появился в сети',
  onlineHint: 'Для того, что ждёт, пока человек появится в сети; 0 — без такого срока.',
  weights: 'Как делить отправку, когда ждут сообщения всех трёх видов: сколько частей на',
  classes: { urgent: 'срочные сообщения', normal: 'обычные сообщения', bulk: 'массовые сообщения' },
  recheckHosts: 'Кого преподаватели могут переспрашивать перед отправкой',
  recheckHint: 'По одному имени узла в строке, например timetable.example.org.',
  tellRead: 'Где известно, кто прочитал',
  tellReadHint:
    'Сначала включите событие «Прочтение сообщения» в настройках сообщества (Управление, Работа с API, Long Poll API). Тогда шаг может уходить только тем, кто не прочитал.',
  prices: 'Сколько стоит SMS',
  noPrices: 'Цены SMS никто не задал: стоимость не показывается, и бюджеты нельзя задать в деньгах.',
  currency: 'Валюта',
  currencyHint: 'Три заглавные латинские буквы, например RUB.',
  prefix: 'Номера, которые начинаются с',
  prefixHint: 'Считается самое длинное подходящее начало; + — любой номер.',
  perPart: 'Цена одной части',
  add: 'Добавить цену',
  remove: (prefix) => `Убрать ${prefix}`,
  setPrices: 'Цены заданы',
  whole: (min, max) => `Напишите целое число от ${min} до ${max}.`,
  positive: (max) => `Напишите число больше нуля, не больше ${max}.`,
  wrongLanguage: 'Напишите язык, например ru или en.',
  wrongHost: 'Пишите по одному имени узла в строке, строчными латинскими буквами, например timetable.example.org.',
  wrongPrices: 'Напишите валюту, например RUB, и для каждого начала номера, например +79, по одной цене, от нуля.',
}

export const moreSettingsTexts = { en, ru } as const

export const useMoreSettingsWords = (): MoreSettingsWords => moreSettingsTexts[useStores().language.code.value]
