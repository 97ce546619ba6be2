/** The mail courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import { scryptSync } from 'node:crypto'
import { mail } from '@courier-fleet/channels'
import {
  type Env,
  field,
  limit,
  listenHost,
  loginOf,
  matching,
  optional,
  parseWhole,
  port,
  publicUrl,
  readSettings,
  target,
  url,
  whole,
  withDefault,
} from '@courier-fleet/process'

export interface MailConfig {
  readonly server: SmtpServer
  /** user, host and port of the server, in letters, digits and - */
  readonly account: string
  readonly target: 'sandbox' | 'real'
  readonly from: Mailbox
  /** stands before every subject */
  readonly subjectPrefix: string
  /** where people reach the queue, without a trailing slash; without it no message offers a one-click address */
  readonly publicUrl?: string
  readonly bounces?: { readonly address: string; readonly host: string; readonly port: number }
  /** messages in doubt at once, in one process: each connection has one under way */
  readonly connections: number
  /** over all processes; undefined when the limit is lifted */
  readonly perSecond: number | undefined
  /** signs what leaves this process and comes back; the same in all processes of the account */
  readonly secret: Buffer
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the start */
  readonly secure: boolean
  /** nothing is said before STARTTLS */
  readonly requireTls: boolean
  readonly login?: { readonly user: string; readonly password: string }
}

interface Mailbox {
  readonly name: string
  readonly address: string
}

const maxCount = 65_535
const mailbox = field('an address, or Name <address>', (text): Mailbox | undefined => {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? []
  const address = mail.address.normalise(bracketed ?? text.trim())
  return address === undefined ? undefined : { name: name.trim(), address }
})
const fields = {
  MAIL_SMTP_URL: url('smtp://user:password@mail.example:587', 'smtp:', 'smtps:'),
  MAIL_TARGET: target,
  MAIL_FROM: mailbox,
  MAIL_SUBJECT: withDefault(matching(/^\P{Cc}{1,40}$/u, 'one line of at most 40 characters'), ''),
  PUBLIC_URL: optional(publicUrl),
  MAIL_BOUNCE_ADDRESS: optional(mailbox),
  MAIL_BOUNCE_HOST: listenHost,
  MAIL_BOUNCE_PORT: optional(port),
  MAIL_CONNECTIONS: withDefault(whole(1, maxCount), 10),
  MAIL_PER_SECOND: limit(`a whole number from 1 to ${maxCount}`, parseWhole(1, maxCount), 10),
}

/** @throws Error naming the variable that is wrong */
export function mailConfig(env: Env): MailConfig {
  const settings = readSettings(env, fields)
  const { MAIL_TARGET: where, MAIL_BOUNCE_ADDRESS: bounces, MAIL_BOUNCE_PORT: bouncePort } = settings
  if (!bounces !== !bouncePort) throw new Error('set both MAIL_BOUNCE_ADDRESS and MAIL_BOUNCE_PORT, or neither')
  const server = serverOf(settings.MAIL_SMTP_URL, where)
  // what comes back is believed by a signature, and anybody knows the rest of the URL
  if (bounces && !server.login) throw new Error('MAIL_SMTP_URL must name a user and a password when bounces are taken')
  const base = settings.PUBLIC_URL
  return {
    server,
    account: `${server.login?.user ?? ''}-${server.host}-${server.port}`.replace(/[^A-Za-z0-9]+/g, '-'),
    target: where,
    from: settings.MAIL_FROM,
    subjectPrefix: settings.MAIL_SUBJECT,
    ...(base === undefined ? {} : { publicUrl: base }),
    ...(bounces && bouncePort
      ? { bounces: { address: bounces.address, host: settings.MAIL_BOUNCE_HOST, port: bouncePort } }
      : {}),
    connections: settings.MAIL_CONNECTIONS,
    perSecond: settings.MAIL_PER_SECOND,
    secret: scryptSync(settings.MAIL_SMTP_URL.href, 'mail courier', 32),
  }
}

function serverOf(url: URL, where: 'sandbox' | 'real'): SmtpServer {
  const { protocol, hostname, port, username, password } = url
  const login = loginOf(url)
  if (!login && (username || password))
    throw new Error('MAIL_SMTP_URL must name both a user and a password, percent-encoded, or neither')
  const secure = protocol === 'smtps:'
  return {
    host: hostname,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // a password is never said in the clear, but to the sandbox, where it is none
    requireTls: !secure && login !== undefined && where === 'real',
    ...(login ? { login } : {}),
  }
}
