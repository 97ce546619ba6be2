/** What the owner of a subscription is told when nothing is sent to it any more: why, and what to do. */
import type { DisabledReason } from '@courier-fleet/api-types'
import type { Subscription } from '@courier-fleet/subscriptions'

export type OwnerLanguage = 'ru' | 'en'

type Text = (host: string, why: string, id: string) => string

const texts: Readonly<Record<OwnerLanguage, Readonly<Record<DisabledReason, Text>>>> = {
  en: {
    owner: (host, _why, id) =>
      `Changes are not sent to ${host} any more: you, or the key it was made with, may have no subscriptions now (${id}). Make a new one when you may again.`,
    gone: (host, _why, id) =>
      `Changes are not sent to ${host} any more: it answered that it is gone (410). Remove subscription ${id}, or ask for a replay of it when it is back.`,
    failing: (host, why, id) =>
      `Changes are not sent to ${host} any more: a change was not taken for days (at last: ${why}). When it works again, ask for a replay of subscription ${id}.`,
  },
  ru: {
    owner: (host, _why, id) =>
      `Изменения больше не отправляются на ${host}: у вас или у ключа, которым создана подписка ${id}, больше нет права на подписки. Создайте новую, когда оно появится.`,
    gone: (host, _why, id) =>
      `Изменения больше не отправляются на ${host}: он ответил, что его больше нет (410). Удалите подписку ${id} или запросите повтор, когда он вернётся.`,
    failing: (host, why, id) =>
      `Изменения больше не отправляются на ${host}: одно из них не принимали несколько дней (последний ответ: ${why}). Когда он заработает, запросите повтор подписки ${id}.`,
  },
}

export const ownerText = (
  language: OwnerLanguage,
  { url, id }: Pick<Subscription, 'url' | 'id'>,
  reason: DisabledReason,
  why: string,
): string => texts[language][reason](new URL(url).host, why, id)
