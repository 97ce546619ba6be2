/** The words of the page on which people sign in: loaded with it. */
import { useStores } from '../stores.ts'

const en = {
  title: 'Sign in',
  by: 'Sign in with',
  person: { by: 'personal id', name: 'Personal id', hint: 'For example t-01' },
  send: 'Send me a code',
  sent: (until: string) =>
    `If we know you, a code is on its way to the channels you have linked. It is good until ${until}. If none comes, go back and check what you typed, or ask an operator to link a channel of yours.`,
  code: 'Code of eight digits',
  open: 'Sign in',
  other: 'Sign in as somebody else',
  ended: 'Your session has ended. Sign in again; what you were writing is kept.',
  sandbox: 'This is the sandbox: nothing is really sent. The code appears on the',
  phonesPage: 'wall of phones',
  demo: 'Try t-01, a teacher of the demo.',
}

const ru: typeof en = {
  title: 'Вход',
  by: 'Войти по',
  person: { by: 'личному номеру', name: 'Личный номер', hint: 'Например, t-01' },
  send: 'Прислать код',
  sent: (until) =>
    `Если мы вас знаем, код отправлен в привязанные каналы. Он действует до ${until}. Если код не пришёл, вернитесь и проверьте, что вы ввели, или попросите оператора привязать ваш канал.`,
  code: 'Код из восьми цифр',
  open: 'Войти',
  other: 'Войти под другим именем',
  ended: 'Сеанс закончился. Войдите снова: недописанное сохранено.',
  sandbox: 'Это песочница: по-настоящему ничего не отправляется. Код появится на',
  phonesPage: 'стене телефонов',
  demo: 'Попробуйте t-01: это преподаватель из примера.',
}

const signInWords = { ru, en } as const

export type SignInWords = typeof en

export const useSignInWords = (): SignInWords => signInWords[useStores().language.code.value]
