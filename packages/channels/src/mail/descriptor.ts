/** E-mail, by SMTP. */
import type { ChannelDescriptor, Endpoint } from '../descriptor.ts'
import { normaliseMailAddress } from './address.ts'
import { subjectOf } from './subject.ts'

export interface MailEndpoint extends Endpoint {
  readonly user: string
  readonly password: string
  /** where the stand-in brings bounces: to this port of whoever sent the message */
  readonly bouncePort: number
}

export const mail = {
  name: 'mail',
  number: 3,
  words: {
    en: {
      name: 'E-mail',
      address: 'E-mail address',
      byAddress: 'e-mail address',
      hint: 'For example name@example.org',
      block: 'Close the mailbox',
      blocked: 'The mailbox takes nothing',
      sent: 'taken by the mail server',
    },
    ru: {
      name: 'Почта',
      address: 'Адрес электронной почты',
      byAddress: 'адресу электронной почты',
      hint: 'Например, name@example.org',
      block: 'Закрыть ящик',
      blocked: 'Ящик ничего не принимает',
      sent: 'принято почтовым сервером',
    },
  },
  address: {
    column: 'email',
    keyboard: 'email',
    expected: 'an e-mail address; write it like name@example.org',
    normalise: normaliseMailAddress,
    madeUp: (index) => `person-${index}@mail.example`,
  },
  text: { kind: 'whole' },
  subjectOf,
  abilities: { tells: ['sent', 'bounced'], foldsResends: false },
  settings: {
    real: [['MAIL_SMTP_URL', 'MAIL_FROM']],
    rate: 'MAIL_PER_SECOND',
    sandbox: ({ host, port, user, password, bouncePort }: MailEndpoint) => ({
      MAIL_SMTP_URL: `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}`,
      MAIL_FROM: 'University <university@fleet.example>',
      PUBLIC_URL: 'https://fleet.example',
      MAIL_BOUNCE_ADDRESS: 'bounce@fleet.example',
      MAIL_BOUNCE_PORT: String(bouncePort),
    }),
  },
  sandboxLimits: { perSecond: 50 },
} as const satisfies ChannelDescriptor
