/** VK: messages of a community. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'
import { normaliseUserId } from '../user-id.ts'

export interface VkEndpoint extends Endpoint {
  readonly token: string
  readonly groupId: number
}

/** VK gives peers from here on to group chats. */
const firstChat = 2_000_000_000

/** without a trailing slash, as vk-io's apiBaseUrl takes it */
export const vkApiUrl = ({ host, port }: Endpoint): string => `http://${host}:${port}/method`

export const vk = {
  name: 'vk',
  number: 1,
  words: {
    en: {
      name: 'VK',
      address: 'VK id',
      byAddress: 'VK id',
      hint: 'The number of your VK page',
      link: (code, to) => `Write КОД ${code} to the community in VK${to ? `, vk.me/${to}` : ''}.`,
      block: 'Forbid messages',
      blocked: 'Messages are forbidden',
      sent: 'sent to the chat',
      shortSent: 'sent to chat',
      shortestSent: 'in chat',
    },
    ru: {
      name: 'ВКонтакте',
      address: 'Номер ВКонтакте',
      byAddress: 'номеру ВКонтакте',
      hint: 'Число: id вашей страницы ВКонтакте',
      link: (code, to) => `Напишите сообществу ВКонтакте${to ? ` (vk.me/${to})` : ''}: КОД ${code}`,
      block: 'Запретить сообщения',
      blocked: 'Сообщения запрещены',
      sent: 'отправлено в чат',
      shortSent: 'в чат',
      shortestSent: 'в чат',
    },
  },
  address: {
    column: 'vk',
    keyboard: 'numeric',
    expected: 'a vk user id: a positive whole number without blanks or signs',
    normalise: (text) => normaliseUserId(text, firstChat - 1),
    madeUp: (index) => String(500_000_000 + index),
  },
  // VK's schema says 9000; its clients and its own error 914 have it at 4096
  text: { kind: 'pieces', maxPieceUnits: 4096 },
  // [id1|Name], @id1 and *id1 mention somebody, and tell them
  escapeValue: (value) => value.replace(/[[@*]/g, '$&\u200d'),
  // ten attachments
  takesFiles: { most: 10 },
  abilities: {
    tells: ['sent'],
    // message_read, an event that a community has to turn on
    mayTellRead: true,
    foldsResends: true,
    messageId: /^[1-9]\d{0,15}$/,
    // errors 909 and 924 after that
    edit: { withinMs: 24 * 3_600_000 },
    recall: { withinMs: 24 * 3_600_000 },
  },
  settings: {
    real: [['VK_TOKEN']],
    rate: 'VK_CALLS_PER_SECOND',
    // dev.vk.com/ru/api/api-requests#Частотные%20ограничения
    allowedPerSecond: 20,
    countsCalls: 100,
    sandbox: ({ token, ...endpoint }: VkEndpoint) => ({ VK_TOKEN: token, VK_API_BASE_URL: vkApiUrl(endpoint) }),
  },
  inbound: {
    name: 'vk-inbound',
    package: 'inbound',
    source: 'bot',
    // the first message that is written then bears it as `ref`
    enrolmentUrl: (community, code) => `https://vk.me/${encodeURIComponent(community)}?ref=${code}`,
  },
  sandboxLimits: { callsPerSecond: 20 },
} as const satisfies ChannelDescriptor
