/** The words of the addresses that messages are posted to: loaded with the page of integrations. */
import type { EndpointView } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

interface EndpointWords {
  readonly title: string
  readonly intro: string
  readonly none: string
  readonly open: (url: string) => string
  readonly yours: (host: string) => string
  readonly states: Readonly<Record<EndpointView['state'], string>>
  readonly said: (said: string, at: string) => string
  readonly silent: string
  readonly failingSince: (at: string) => string
  readonly next: (at: string) => string
  readonly offSince: (at: string) => string
  readonly enable: string
  readonly enabled: string
  readonly disable: string
  readonly disabled: string
  readonly messages: string
  readonly retry: string
  readonly retried: (people: number) => string
}

const en: EndpointWords = {
  title: 'Addresses that messages are posted to',
  intro: 'Those that the latest hundred messages name, and your own.',
  none: 'No message of these names an address.',
  open: (url) => `Open ${url}`,
  yours: (host) => `yours at ${host}`,
  states: { called: 'called', 'left-alone': 'left alone for now', off: 'switched off' },
  said: (said, at) => `At last it said ${said}, ${at}.`,
  silent: 'Nothing was posted to it in the last day.',
  failingSince: (at) => `Nothing but failures since ${at}.`,
  next: (at) => `It is called again from ${at} on.`,
  offSince: (at) => `Switched off since ${at}: nothing is posted to it.`,
  enable: 'Call it again',
  enabled: 'It is called again as messages come.',
  disable: 'Stop calling it',
  disabled: 'It is called no more: what waits for it fails when it would have been called.',
  messages: 'Messages to it',
  retry: 'Send again',
  retried: (people) => `Sent again: ${people}.`,
}

const ru: EndpointWords = {
  title: 'Адреса, на которые отправляются сообщения',
  intro: 'Те, что названы в последней сотне сообщений, и ваш собственный.',
  none: 'В этих сообщениях адресов нет.',
  open: (url) => `Открыть ${url}`,
  yours: (host) => `ваш, на ${host}`,
  states: { called: 'вызывается', 'left-alone': 'пока не вызывается', off: 'отключён' },
  said: (said, at) => `Последний ответ: ${said}, ${at}.`,
  silent: 'За сутки сюда ничего не отправляли.',
  failingSince: (at) => `Одни неудачи с ${at}.`,
  next: (at) => `Снова вызовем не раньше ${at}.`,
  offSince: (at) => `Отключён с ${at}: сюда ничего не отправляется.`,
  enable: 'Вызывать снова',
  enabled: 'Адрес снова вызывается, когда есть сообщения.',
  disable: 'Больше не вызывать',
  disabled: 'Адрес больше не вызывается: сообщение, до которого дойдёт очередь, будет недоставленным.',
  messages: 'Сообщения на этот адрес',
  retry: 'Отправить ещё раз',
  retried: (people) => `Отправляется ещё раз: ${people}.`,
}

const texts = { en, ru } as const

export function useEndpointWords(): EndpointWords {
  return texts[useStores().language.code.value]
}
