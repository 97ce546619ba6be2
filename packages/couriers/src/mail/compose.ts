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

export async function compose(
  { address, text, subject, oneClick, confirm, key }: Item,
  config: MailConfig,
): Promise<Composed> {
  const { from, subjectPrefix, publicUrl, bounces, secret } = config
  const id = key.toString(36)
  const signedId = signId(secret, id)
  const composer = new MailComposer({
    from,
    to: { name: '', address },
    subject: [subjectPrefix, subject].filter(Boolean).join(' '),
    text: publicUrl && confirm ? `${text}\n\n${confirm.label}: ${publicUrl}/c/${confirm.token}` : text,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: {
      // no vacation reply is wanted, as RFC 3834 puts it
      'Auto-Submitted': 'auto-generated',
      ...(publicUrl && oneClick ? oneClickHeaders(`${publicUrl}/u/${oneClick}`) : {}),
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
