/** The mail courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import { scryptSync } from 'node:crypto'
import { mail } from '@courier-fleet/channels'

export interface MailConfig {
  readonly server: SmtpServer
  /** user, host and port of the server, in letters, digits and - */
  readonly account: string
  readonly target: 'sandbox' | 'real'
  readonly from: { readonly name: string; readonly address: string }
  /** stands before every subject */
  readonly subjectPrefix: string
  /** without a trailing slash */
  readonly unsubscribeUrl?: string
  readonly bounces?: { readonly address: string; readonly port: number }
  /** messages in doubt at once, in one process: each connection has one under way */
  readonly connections: number
  /** over all processes; null = no limit */
  readonly perSecond: number | null
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

type Env = Readonly<Record<string, string | undefined>>

/** @throws Error naming the variable that is wrong */
export function mailConfig(env: Env): MailConfig {
  const target = env.MAIL_TARGET === 'sandbox' ? 'sandbox' : 'real'
  const server = serverOf(env.MAIL_SMTP_URL ?? '', target)
  const bounces = bouncesOf(env)
  return {
    server,
    account: `${server.login?.user ?? ''}-${server.host}-${server.port}`.replace(/[^A-Za-z0-9]+/g, '-'),
    target,
    from: mailboxOf('MAIL_FROM', env.MAIL_FROM ?? ''),
    subjectPrefix: prefixOf(env.MAIL_SUBJECT ?? ''),
    ...(env.MAIL_UNSUBSCRIBE_URL ? { unsubscribeUrl: httpsOf('MAIL_UNSUBSCRIBE_URL', env.MAIL_UNSUBSCRIBE_URL) } : {}),
    ...(bounces ? { bounces } : {}),
    connections: countOf(env, 'MAIL_CONNECTIONS', 10),
    perSecond: env.MAIL_PER_SECOND === 'off' ? null : countOf(env, 'MAIL_PER_SECOND', 10),
    secret: scryptSync(env.MAIL_SMTP_URL ?? '', 'mail courier', 32),
  }
}

function serverOf(text: string, target: 'sandbox' | 'real'): SmtpServer {
  if (!URL.canParse(text)) throw new Error('MAIL_SMTP_URL is not a URL')
  const { protocol, hostname, port, username, password } = new URL(text)
  if (!['smtp:', 'smtps:'].includes(protocol)) throw new Error('MAIL_SMTP_URL must begin with smtp:// or smtps://')
  if (!hostname) throw new Error('MAIL_SMTP_URL names no host')
  const secure = protocol === 'smtps:'
  return {
    host: hostname,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // a password is never said in the clear, but to the sandbox, where it is none
    requireTls: !secure && username !== '' && target === 'real',
    ...(username ? { login: { user: decodeURIComponent(username), password: decodeURIComponent(password) } } : {}),
  }
}

function mailboxOf(name: string, text: string): MailConfig['from'] {
  const [, display = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = mail.address.normalise(bracketed ?? text.trim())
  if (!address) throw new Error(`${name} must be an address, or Name <address>`)
  if (/\p{Cc}/u.test(display)) throw new Error(`${name} has characters in the name that no header may have`)
  return { name: display.trim(), address }
}

function bouncesOf(env: Env): MailConfig['bounces'] {
  const { MAIL_BOUNCE_ADDRESS: address, MAIL_BOUNCE_PORT: port } = env
  if (!address && !port) return undefined
  if (!address || !port) throw new Error('set both MAIL_BOUNCE_ADDRESS and MAIL_BOUNCE_PORT, or neither')
  return { address: mailboxOf('MAIL_BOUNCE_ADDRESS', address).address, port: countOf(env, 'MAIL_BOUNCE_PORT') }
}

function prefixOf(text: string): string {
  if (text.length > 40 || /\p{Cc}/u.test(text))
    throw new Error('MAIL_SUBJECT must be one line of at most 40 characters')
  return text
}

function httpsOf(name: string, text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') throw new Error(`${name} must begin with https://`)
  const { origin, pathname } = new URL(text)
  return (origin + pathname).replace(/\/+$/, '')
}

function countOf(env: Env, name: string, fallback?: number): number {
  const text = env[name]
  if (!text && fallback !== undefined) return fallback
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 65_535) return count
  throw new Error(`${name} must be a whole number from 1 to 65535`)
}
