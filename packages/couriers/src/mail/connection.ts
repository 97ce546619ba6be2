/** One connection to the mail server, for one message after the other; says how far each came. */
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Composed } from './compose.ts'
import type { SmtpServer } from './config.ts'

/** What the server answered, or that it did not. */
export type Reply =
  | { readonly kind: 'accepted' }
  /** `command`: what it was the answer to */
  | { readonly kind: 'refused'; readonly command: string; readonly code: number; readonly text: string }
  /** the message itself has not left this process */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** it has, at least in part, and nothing came back */
  | { readonly kind: 'unanswered'; readonly why: string }

export interface Connection {
  readonly isOpen: boolean
  /** Never rejects; closes the connection when `signal` is aborted first. */
  deliver(message: Composed, signal: AbortSignal): Promise<Reply>
  close(): void
}

/** The server's refusal of the connection or of the credentials. */
export class Refusal extends Error {
  readonly reply: Extract<Reply, { kind: 'refused' }>
  constructor(reply: Extract<Reply, { kind: 'refused' }>) {
    super(`the mail server answered ${reply.code} to ${reply.command}: ${reply.text}`)
    this.reply = reply
  }
}

/** There is no way to the server, or it says nothing. */
export class NoConnection extends Error {}

const maxReplyLength = 200

interface SmtpError extends Error {
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Connects and logs in. @throws Refusal · NoConnection when there is no answer, or `signal` is aborted first */
export async function openConnection(server: SmtpServer, signal: AbortSignal): Promise<Connection> {
  const { host, port, secure, requireTls, login } = server
  const smtp = new SMTPConnection({ host, port, secure, requireTLS: requireTls, socketCloseTimeout: 0 })
  let isOpen = true
  let failure: SmtpError | undefined
  smtp.on('error', (error: SmtpError) => {
    failure = error
  })
  smtp.on('end', () => {
    isOpen = false
  })
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    answerOf(smtp, signal, run).then((error) => {
      if (error) throw refusalOf(error) ?? error
    })
  try {
    await step((done) => smtp.connect(done))
    if (login) await step((done) => smtp.login({ credentials: { user: login.user, pass: login.password } }, done))
  } catch (error) {
    smtp.close()
    if (error instanceof Refusal) throw error
    throw (failure && refusalOf(failure)) ?? new NoConnection((error as Error).message)
  }
  return {
    get isOpen() {
      return isOpen
    },
    async deliver(message, limit) {
      const reply = await deliver(smtp, message, limit)
      if (reply.kind === 'refused' && isOpen && (await answerOf(smtp, limit, (done) => smtp.reset(done)))) smtp.close()
      return reply
    },
    close: () => smtp.close(),
  }
}

async function deliver(smtp: SMTPConnection, { envelope, content }: Composed, signal: AbortSignal): Promise<Reply> {
  let left = false
  // read only once the server has taken the envelope and asks for the message
  const message = Readable.from(
    (function* () {
      left = true
      yield content
    })(),
  )
  const error = await answerOf(smtp, signal, (done) => smtp.send({ ...envelope, size: content.length }, message, done))
  if (!error) return { kind: 'accepted' }
  const refusal = refusalOf(error)
  if (refusal) return refusal.reply
  return { kind: left ? 'unanswered' : 'not-sent', why: error.message }
}

/** @returns what went wrong; undefined when nothing did. Closes the connection when `signal` is aborted first. */
function answerOf(
  smtp: SMTPConnection,
  signal: AbortSignal,
  run: (done: (error?: Error | null) => void) => void,
): Promise<SmtpError | undefined> {
  return new Promise((resolve) => {
    const end = (error?: SmtpError | null) => {
      signal.removeEventListener('abort', onAbort)
      smtp.off('error', end)
      smtp.off('end', onEnd)
      resolve(error ?? undefined)
    }
    const onEnd = () => end(new Error('the mail server closed the connection'))
    const onAbort = () => {
      end(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
      smtp.close()
    }
    signal.addEventListener('abort', onAbort)
    smtp.on('error', end)
    smtp.on('end', onEnd)
    if (signal.aborted) return onAbort()
    run(end)
  })
}

function refusalOf({ command = '', response, responseCode }: SmtpError): Refusal | undefined {
  if (response === undefined || responseCode === undefined || responseCode < 400) return undefined
  const text = response.replace(/\s+/g, ' ').slice(0, maxReplyLength)
  return new Refusal({ kind: 'refused', command, code: responseCode, text })
}
