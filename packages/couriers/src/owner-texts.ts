/** What the owner of an endpoint is told when nobody calls it any more: which it is, since when it fails, and what to do. */
export type OwnerLanguage = 'ru' | 'en'

type Text = (host: string, since: string) => string

interface Texts {
  /** a person's own URL */
  readonly contact: Text
  /** one that messages of theirs have named */
  readonly named: Text
}

const texts: Readonly<Record<OwnerLanguage, Texts>> = {
  en: {
    contact: (host, since) =>
      `Your messages are not posted to ${host} any more: every call has failed since ${since}. When it works again, have an administrator link it anew, or link another address.`,
    named: (host, since) =>
      `Your messages are not posted to ${host} any more: every call has failed since ${since}. When it works again, enable it (POST /v1/endpoints:enable), or name another address.`,
  },
  ru: {
    contact: (host, since) =>
      `Сообщения для вас больше не отправляются на ${host}: ни один вызов не удался с ${since}. Когда он заработает, попросите администратора привязать его заново или привязать другой адрес.`,
    named: (host, since) =>
      `Ваши сообщения больше не отправляются на ${host}: ни один вызов не удался с ${since}. Когда он заработает, включите его (POST /v1/endpoints:enable) или укажите другой адрес.`,
  },
}

const locales: Readonly<Record<OwnerLanguage, string>> = { en: 'en-GB', ru: 'ru' }

export interface Ended {
  readonly url: string
  readonly isContact: boolean
  readonly failingSinceMs: number
  readonly timeZone: string
}

export function endpointOffText(language: OwnerLanguage, { url, isContact, failingSinceMs, timeZone }: Ended): string {
  const { contact, named } = texts[language]
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone })
  return (isContact ? contact : named)(new URL(url).host, format.format(failingSinceMs))
}
