/** Calls of a URL, signed as Standard Webhooks has it: for the systems of others, and for people who have one. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'
import { normaliseUrl } from './address.ts'

export interface HttpEndpoint extends Endpoint {
  /** where DNS knows a name that leads elsewhere each time */
  readonly dnsPort: number
}

export const http = {
  name: 'http',
  number: 4,
  words: {
    en: {
      name: 'Other systems',
      address: 'URL',
      byAddress: 'URL',
      hint: 'For example https://example.org/messages',
      block: 'Say that it is gone',
      blocked: 'It says that it is gone',
      sent: 'taken by another system',
      shortSent: 'taken by another system',
      shortestSent: 'taken',
      changes: { edited: 'told of the new text', deleted: 'told of the withdrawal' },
    },
    ru: {
      name: 'Другие системы',
      address: 'URL',
      byAddress: 'URL',
      hint: 'Например, https://example.org/messages',
      block: 'Отвечать, что больше не принимает',
      blocked: 'Отвечает, что больше не принимает',
      sent: 'принято другой системой',
      shortSent: 'принято другой системой',
      shortestSent: 'принято',
      changes: { edited: 'сообщение системе о новом тексте', deleted: 'сообщение системе об отзыве' },
    },
  },
  address: {
    column: 'url',
    keyboard: 'url',
    expected: 'a URL; write it like https://example.org/messages, without a user and without #',
    normalise: normaliseUrl,
    madeUp: (index) => `https://hooks.example/${index}`,
  },
  text: { kind: 'whole' },
  abilities: {
    tells: ['taken'],
    foldsResends: true,
    messageId: /^[0-9a-f]{16}(-[2-9])?$/,
    // by a call that says so: what comes of it at theirs is their system's
    edit: {},
    recall: {},
  },
  settings: {
    real: [['HTTP_TARGET']],
    rate: 'HTTP_PER_SECOND',
    // it stands in for systems of others: whoever calls it is given its URL, as that of any other. In its DNS one may not be named by name
    sandbox: ({ host, dnsPort }: HttpEndpoint): Readonly<Record<string, string>> =>
      /^[\d.]+$/.test(host) ? { HTTP_DNS_SERVERS: `${host}:${dnsPort}` } : {},
  },
  sandboxLimits: { perSecond: 1000 },
  isForSystems: true,
  isOpenToOthers: true,
} as const satisfies ChannelDescriptor
