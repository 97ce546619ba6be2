/** Brings messages back: delivery status notifications (RFC 3464), by SMTP, to the machine the message came from. */
import { type Log, sleep } from '@courier-fleet/process'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Fault } from '../faults.ts'

export interface Bounce {
  readonly fault: Pick<Fault, 'mode' | 'seconds'>
  /** the envelope's sender */
  readonly to: string
  /** the mailbox that could not be reached */
  readonly about: string
  readonly host: string
}

export interface Bounces {
  /** Brings it until it is taken, a few times over. */
  bring(bounce: Bounce): void
  stop(): void
}

const maxTries = 20

export function createBounces({ port, retryMs, log }: { port: number; retryMs: number; log: Log }): Bounces {
  const stopping = new AbortController()

  async function deliver({ fault, to, about, host }: Bounce): Promise<void> {
    if (fault.mode === 'late') await sleep((fault.seconds ?? 1) * 1000, stopping.signal)
    for (let attempt = 1; attempt <= maxTries && !stopping.signal.aborted; attempt++) {
      if (await send({ host, port, to, content: notification(to, about) })) return
      await sleep(retryMs, stopping.signal)
    }
    if (!stopping.signal.aborted) log.warn('a bounce was given up: nobody took it')
  }

  return {
    bring(bounce) {
      if (bounce.fault.mode === 'none') return
      for (let copies = bounce.fault.mode === 'twice' ? 2 : 1; copies > 0; copies--) void deliver(bounce)
    },
    stop: () => stopping.abort(),
  }
}

function send(options: { host: string; port: number; to: string; content: string }): Promise<boolean> {
  const { host, port, to, content } = options
  const smtp = new SMTPConnection({ host, port, ignoreTLS: true, socketTimeout: 5000 })
  return new Promise((resolve) => {
    const end = (taken: boolean) => {
      smtp.close()
      resolve(taken)
    }
    smtp.on('error', () => end(false))
    smtp.connect((error) => {
      if (error) return end(false)
      // the null sender: nobody wants a bounce of a bounce
      smtp.send({ from: false, to }, content, (refused) => end(!refused))
    })
  })
}

function notification(to: string, about: string): string {
  return [
    'From: Mail Delivery System <mailer-daemon@mail.example>',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="parts"',
    '',
    '--parts',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Your message could not be delivered.',
    '--parts',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example',
    '',
    `Final-Recipient: rfc822; ${about}`,
    'Action: failed',
    'Status: 5.2.2',
    'Diagnostic-Code: smtp; 552 5.2.2',
    ' the mailbox is full',
    '--parts--',
    '',
  ].join('\r\n')
}
