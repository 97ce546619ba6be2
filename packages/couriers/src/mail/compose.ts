/** One recipient's message as it travels: envelope and RFC 5322 text. */
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Item } from '../courier.ts'
import type { MailConfig } from './config.ts'
import { signId } from './signed-id.ts'

export interface Envelope {
  /** where bounces go */
  readonly from: string
  readonly to: string
}

export interface Composed {
  /** derived from the idempotency key: the same on every resend */
  readonly id: string
  readonly envelope: Envelope
  readonly content: Buffer
}

/** An address of the bounce mailbox that names the message (VERP): a bounce to it needs no reading to be matched. */
export const returnPathOf = (bounceAddress: string, signedId: string) => bounceAddress.replace('@', `+${signedId}@`)

export async function compose({ address, text, key }: Item, config: MailConfig): Promise<Composed> {
  const { from, subjectPrefix, unsubscribeUrl, bounces, secret } = config
  const id = key.toString(36)
  const signedId = signId(secret, id)
  const composer = new MailComposer({
    from,
    to: { name: '', address },
    subject: [subjectPrefix, subjectOf(text)].filter(Boolean).join(' '),
    text,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: {
      // no vacation reply is wanted, as RFC 3834 puts it
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl ? oneClickHeaders(`${unsubscribeUrl}/${signedId}`) : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    id,
    envelope: { from: bounces ? returnPathOf(bounces.address, signedId) : from.address, to: address },
    content: await composer.compile().build(),
  }
}

/** RFC 8058. Prepared: a folded List-Unsubscribe fails the DKIM check of some receivers. */
const oneClickHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const maxSubjectLength = 70

/** The first line with anything in it, cut at a word. */
export function subjectOf(text: string): string {
  const line = text
    .split(/[\r\n]+/)
    .map((each) => each.replace(/\p{Cc}+/gu, ' ').trim())
    .find((each) => each !== '')
  if (line === undefined || line.length <= maxSubjectLength) return line ?? ''
  const cut = line.slice(0, maxSubjectLength).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
