/** What the owner of an endpoint is told when nobody calls it any more: which it is, since when and why, and what to do. */
export type OwnerLanguage = 'ru' | 'en'

type Text = (host: string, since: string) => string

interface Texts {
  /** a person's own URL */
  readonly contact: Text
  /** one that messages of theirs have named */
  readonly named: Text
  /** the same of one that was switched off by hand */
  readonly contactByHand: Text
  readonly namedByHand: Text
}

const texts: Readonly<Record<OwnerLanguage, Texts>> = {
  en: {
    contact: (host, since) =>
      `Your messages are not posted to ${host} any more: every call has failed since ${since}. When it works again, have an administrator link it anew, or link another address.`,
    named: (host, since) =>
      `Your messages are not posted to ${host} any more: every call has failed since ${since}. When it works again, enable it (POST /v1/endpoints:enable), or name another address.`,
    contactByHand: (host, since) =>
      `Your messages are not posted to ${host} any more: it was switched off by hand, ${since}. To have it called again, have an administrator link it anew, or link another address.`,
    namedByHand: (host, since) =>
      `Your messages are not posted to ${host} any more: it was switched off by hand, ${since}. To have it called again, enable it (POST /v1/endpoints:enable), or name another address.`,
  },
  ru: {
    contact: (host, since) =>
      `Сообщения для вас больше не отправляются на ${host}: ни один вызов не удался с ${since}. Когда он заработает, попросите администратора привязать его заново или привязать другой адрес.`,
    named: (host, since) =>
      `Ваши сообщения больше не отправляются на ${host}: ни один вызов не удался с ${since}. Когда он заработает, включите его (POST /v1/endpoints:enable) или укажите другой адрес.`,
    contactByHand: (host, since) =>
      `Сообщения для вас больше не отправляются на ${host}: его отключили вручную ${since}. Чтобы он снова вызывался, попросите администратора привязать его заново или привязать другой адрес.`,
    namedByHand: (host, since) =>
      `Ваши сообщения больше не отправляются на ${host}: его отключили вручную ${since}. Чтобы он снова вызывался, включите его (POST /v1/endpoints:enable) или укажите другой адрес.`,
  },
}

const locales: Readonly<Record<OwnerLanguage, string>> = { en: 'en-GB', ru: 'ru' }

export interface Ended {
  readonly url: string
  readonly isContact: boolean
  readonly sinceMs: number
  /** undefined: it was switched off by hand */
  readonly failingSinceMs: number | undefined
  readonly timeZone: string
}

export function endpointOffText(language: OwnerLanguage, ended: Ended): string {
  const { url, isContact, sinceMs, failingSinceMs, timeZone } = ended
  const { contact, named, contactByHand, namedByHand } = texts[language]
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone })
  const { host } = new URL(url)
  if (failingSinceMs === undefined) return (isContact ? contactByHand : namedByHand)(host, format.format(sinceMs))
  return (isContact ? contact : named)(host, format.format(failingSinceMs))
}
