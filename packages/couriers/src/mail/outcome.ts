/** What the mail server's replies mean for the recipient (RFC 5321 reply codes, RFC 3463 enhanced status codes). */
import type { RefusalClass } from '@courier-fleet/api-types'
import type { Outcome } from '../courier.ts'
import type { Reply } from './connection.ts'

/** Greylisting lets a second try pass after some minutes; sooner ones count as none. */
const greylistMs = 300_000
/** neither the account nor the connection is welcome just now */
const accountMs = 10_000
/** until somebody mends it */
const credentialsMs = 60_000

type Refused = Extract<Reply, { kind: 'refused' }>

export function outcomeOf(reply: Reply, id: string): Outcome {
  switch (reply.kind) {
    case 'accepted':
      return { kind: 'sent', providerId: id }
    case 'unanswered':
      return { kind: 'unknown', why: `mail: ${reply.why}`, providerId: id }
    case 'not-sent':
      return { kind: 'not-sent', why: `mail: ${reply.why}` }
    case 'refused':
      return refused(reply)
  }
}

/** The reply was to this recipient or this message, or to all that comes from here. */
const isOfMessage = ({ command }: Refused) => command === 'RCPT TO' || command === 'DATA'

export const refusesCredentials = ({ command, code }: Refused) =>
  command.startsWith('AUTH') || [530, 534, 535, 538].includes(code)

function refused(reply: Refused): Outcome {
  const { code, text } = reply
  if (refusesCredentials(reply)) {
    const reason = `the mail server refuses the credentials in MAIL_SMTP_URL: ${text}`
    return { kind: 'throttled', scope: 'account', retryAfterMs: credentialsMs, reason }
  }
  // 421 ends the connection, whatever it is the answer to
  if (code === 421 || !isOfMessage(reply)) {
    const retryAfterMs = code >= 500 ? credentialsMs : accountMs
    return { kind: 'throttled', scope: 'account', retryAfterMs, reason: text }
  }
  if (code < 500) return { kind: 'throttled', scope: 'recipient', retryAfterMs: greylistMs, reason: text }
  return { kind: 'rejected', class: classOf(reply), detail: text }
}

/** By the enhanced code where there is one: policies about the sender (5.7) use 550 as well, and say nothing of the mailbox. */
function classOf({ command, code, text }: Refused): RefusalClass {
  const [, subject, detail] = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(text) ?? []
  if (subject === '1') return 'invalid'
  if (subject === '2' && detail === '1') return 'deactivated'
  const isMailbox = command === 'RCPT TO' && [550, 551, 553].includes(code)
  return subject === undefined && isMailbox ? 'invalid' : 'refused'
}
