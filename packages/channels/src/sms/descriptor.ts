/** SMS: by SMPP 3.4, or by an HTTP gateway of Kannel's shape. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'

export interface SmsEndpoint extends Endpoint {
  readonly systemId: string
  readonly password: string
  /** what people write to */
  readonly number: string
  /** Kannel-shaped sendsms: http://127.0.0.1:PORT/cgi-bin/sendsms, same user and password */
  readonly sendsmsUrl: string
  /** of the second centre: same host, user and password */
  readonly second: { readonly port: number; readonly sendsmsUrl: string }
}

export const sms = {
  name: 'sms',
  number: 2,
  words: {
    en: {
      name: 'SMS',
      address: 'Phone number',
      byAddress: 'phone number',
      hint: 'For example +7 900 123-45-67',
      link: (code, to) => `Send an SMS with the text КОД ${code} to ${to ?? 'our number'}.`,
      blocked: 'The number is barred',
      sent: 'taken by the operator',
    },
    ru: {
      name: 'SMS',
      address: 'Номер телефона',
      byAddress: 'номеру телефона',
      hint: 'Например, +7 900 123-45-67',
      link: (code, to) => `Отправьте на ${to ? `номер ${to}` : 'наш номер'} SMS с текстом: КОД ${code}`,
      blocked: 'Номер закрыт',
      sent: 'принято оператором',
    },
  },
  address: {
    column: 'phone',
    keyboard: 'tel',
    expected: 'a telephone number; write it like +79001234567',
    normalise: (text, { phoneNumber }) => phoneNumber(text),
    madeUp: (index) => `+79${String(index).padStart(9, '0')}`,
  },
  // the header of a part counts in one byte
  text: { kind: 'sms-parts', maxParts: 255 },
  abilities: { tells: ['sent', 'delivered'], foldsResends: false },
  mayHaveSeveral: true,
  settings: {
    real: [['SMS_SMPP_URL'], ['SMS_HTTP_URL', 'SMS_HTTP_CALLBACK_URL', 'SMS_HTTP_CALLBACK_PORT']],
    rate: 'SMS_PER_SECOND',
    sandbox: ({ host, port, systemId, password }: SmsEndpoint) => ({
      SMS_SMPP_URL: `smpp://${encodeURIComponent(systemId)}:${encodeURIComponent(password)}@${host}:${port}`,
      // a real centre is never beside a stand-in
      SMS_SECOND_SMPP_URL: '',
      SMS_SECOND_HTTP_URL: '',
    }),
  },
  inbound: {
    name: 'sms-inbound',
    package: 'inbound',
    source: 'sms',
    // RFC 5724, with the `body` that phones know beside it
    enrolmentUrl: (number, code) => `sms:${number}?body=${encodeURIComponent(`КОД ${code}`)}`,
    // a gateway that is only called gives no texts
    hears: ({ SMS_SMPP_URL, SMS_INBOUND_SMPP_URL, SMS_INBOUND_HTTP_PORT }) =>
      Boolean(SMS_SMPP_URL || SMS_INBOUND_SMPP_URL || SMS_INBOUND_HTTP_PORT),
    sandbox: ({ number }: SmsEndpoint) => ({ SMS_INBOUND_NUMBER: number }),
  },
  /** `window`: submits of one session that wait for their answer */
  sandboxLimits: { perSecond: 100, window: 50 },
} as const satisfies ChannelDescriptor
