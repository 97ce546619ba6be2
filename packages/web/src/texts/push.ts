/** The words of notifications in a browser: loaded with their switch. */
import { useStores } from '../stores.ts'

interface PushWords {
  readonly title: string
  readonly intro: string
  readonly states: Readonly<Record<'on' | 'off' | 'elsewhere' | 'gone' | 'blocked' | 'unable' | 'home-screen', string>>
  readonly turnOff: string
  readonly notAllowed: string
}

const ru: PushWords = {
  title: 'Уведомления в этом браузере',
  intro:
    'Сообщения для вас появляются уведомлениями, даже когда эта страница закрыта, и после выхода тоже. Не включайте их на чужом или общем компьютере: их прочтёт любой, кто за ним сидит.',
  states: {
    on: 'Включены в этом браузере.',
    off: 'Выключены.',
    elsewhere: 'Включены в другом браузере. Если включить здесь, там они прекратятся.',
    gone: 'Браузер, в котором они были включены, их больше не принимает. Включите заново.',
    blocked:
      'Браузер запрещает уведомления этой странице. Разрешите их в настройках сайта (значок слева от адреса) и обновите страницу.',
    unable: 'Этот браузер не показывает уведомлений: нужен адрес https, обычное (не приватное) окно и браузер поновее.',
    'home-screen':
      'На айфоне и айпаде сначала добавьте эту страницу на экран «Домой» («Поделиться» → «На экран „Домой“»). Потом откройте её оттуда и включите здесь.',
  },
  turnOff: 'Выключить',
  notAllowed: 'Браузер не разрешил уведомления: ничего не изменилось.',
}

const en: PushWords = {
  title: 'Notifications in this browser',
  intro:
    "Messages for you appear as notifications, also while this page is closed and after you have signed out. Do not turn them on at somebody else's or a shared computer: whoever sits there can read them.",
  states: {
    on: 'They are on in this browser.',
    off: 'They are off.',
    elsewhere: 'They are on in another browser. If you turn them on here, they stop there.',
    gone: 'The browser they were on in no longer takes them. Turn them on again.',
    blocked:
      'Your browser blocks notifications from this page. Allow them in the site settings (the icon left of the address), then reload the page.',
    unable:
      'This browser cannot show notifications. Use an https address, a window that is not private, and a newer browser.',
    'home-screen':
      'On an iPhone or iPad, first add this page to the Home Screen (Share → Add to Home Screen). Then open it from there and turn them on.',
  },
  turnOff: 'Turn off',
  notAllowed: 'The browser did not allow notifications. Nothing has changed.',
}

export const usePushWords = (): PushWords => (useStores().language.code.value === 'ru' ? ru : en)
