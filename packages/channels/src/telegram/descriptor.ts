/** Telegram: a bot over MTProto. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'
import { normaliseUserId } from '../user-id.ts'

export interface TelegramEndpoint extends Endpoint {
  readonly apiId: number
  readonly apiHash: string
  readonly botToken: string
  /** the DC's RSA key, PKCS#1 PEM, and its fingerprint as a signed 64-bit decimal */
  readonly publicKey: string
  readonly fingerprint: string
}

export const telegram = {
  name: 'telegram',
  number: 0,
  words: {
    en: {
      name: 'Telegram',
      address: 'Telegram id',
      byAddress: 'Telegram id',
      hint: 'The number of your Telegram account',
      link: (code, to) => `Write /start ${code} to the bot${to ? ` @${to}` : ''} in Telegram.`,
      block: 'Block the bot',
      blocked: 'The bot is blocked',
      sent: 'sent to the chat',
      shortSent: 'sent to chat',
      shortestSent: 'in chat',
    },
    ru: {
      name: 'Telegram',
      address: 'Номер в Telegram',
      byAddress: 'номеру в Telegram',
      hint: 'Число: id вашей учётной записи Telegram',
      link: (code, to) => `Напишите боту${to ? ` @${to}` : ''} в Telegram: /start ${code}`,
      block: 'Заблокировать бота',
      blocked: 'Бот заблокирован',
      sent: 'отправлено в чат',
      shortSent: 'в чат',
      shortestSent: 'в чат',
    },
  },
  address: {
    column: 'telegram',
    keyboard: 'numeric',
    expected: 'a telegram user id: a positive whole number without blanks or signs',
    normalise: (text) => normaliseUserId(text),
    madeUp: (index) => String(70_000_000 + index),
  },
  // core.telegram.org/method/messages.sendMessage, MESSAGE_TOO_LONG
  text: { kind: 'pieces', maxPieceUnits: 4096 },
  // more are an album, of which each file is a message of its own; a text beside a file is its caption: MEDIA_CAPTION_TOO_LONG
  takesFiles: { most: 1, maxTextUnits: 1024 },
  abilities: {
    tells: ['sent'],
    foldsResends: true,
    messageId: /^\d{1,9}$/,
    edit: {},
    // core.telegram.org/bots/api#deletemessage
    recall: { withinMs: 48 * 3_600_000 },
  },
  settings: {
    real: [['TELEGRAM_BOT_TOKEN', 'TELEGRAM_API_ID', 'TELEGRAM_API_HASH']],
    rate: 'TELEGRAM_RATE_PER_SECOND',
    // core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    allowedPerSecond: 30,
    sessionFile: 'TELEGRAM_SESSION_FILE',
    sandbox: ({ host, port, apiId, apiHash, botToken, publicKey }: TelegramEndpoint) => ({
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_API_ID: String(apiId),
      TELEGRAM_API_HASH: apiHash,
      TELEGRAM_DC: `${host}:${port}`,
      TELEGRAM_DC_PUBLIC_KEY: publicKey,
    }),
  },
  inbound: {
    name: 'bot',
    package: 'bot',
    source: 'bot',
    // core.telegram.org/bots/features#deep-linking
    enrolmentUrl: (bot, code) => `https://t.me/${encodeURIComponent(bot)}?start=${code}`,
  },
  sandboxLimits: { perSecond: 30, perChatPerSecond: 1 },
} as const satisfies ChannelDescriptor
