/** The SMS courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import { parseSmppUrl, type SmppUrl } from '@courier-fleet/smpp'

export interface SendsmsUrl {
  /** without user and password */
  readonly url: string
  readonly username: string
  readonly password: string
  /** where the gateway reaches this courier with delivery reports; no trailing slash */
  readonly callbackUrl: string
  readonly callbackPort: number
}

export type SmsConfig = Settings & Provider

/** exactly one of the two */
type Provider =
  | { readonly smpp: SmppUrl; readonly sendsms?: undefined }
  | { readonly smpp?: undefined; readonly sendsms: SendsmsUrl }

interface Settings {
  /** user, host and port of the provider, in letters, digits and - */
  readonly account: string
  readonly target: 'sandbox' | 'real'
  readonly sender: string
  /** unanswered submits at once, in one process */
  readonly window: number
  /** segments a second, over all processes; null = no limit */
  readonly perSecond: number | null
}

type Env = Readonly<Record<string, string | undefined>>

/** @throws Error naming the variable that is wrong */
export function smsConfig(env: Env): SmsConfig {
  const { SMS_SMPP_URL: smppUrl, SMS_HTTP_URL: httpUrl } = env
  if (!smppUrl === !httpUrl) throw new Error('set exactly one of SMS_SMPP_URL and SMS_HTTP_URL')
  const provider: Provider = smppUrl
    ? { smpp: parseSmppUrl('SMS_SMPP_URL', smppUrl) }
    : { sendsms: sendsmsOf(httpUrl as string, env) }
  const [user, host] = provider.smpp
    ? [provider.smpp.systemId, `${provider.smpp.host}:${provider.smpp.port}`]
    : [provider.sendsms.username, new URL(provider.sendsms.url).host]
  return {
    ...provider,
    account: `${user}-${host}`.replace(/[^A-Za-z0-9]+/g, '-'),
    target: env.SMS_TARGET === 'sandbox' ? 'sandbox' : 'real',
    sender: senderOf(env.SMS_SENDER ?? ''),
    window: countOf(env, 'SMS_WINDOW', 50),
    perSecond: env.SMS_PER_SECOND === 'off' ? null : countOf(env, 'SMS_PER_SECOND', 100),
  }
}

function sendsmsOf(text: string, env: Env): SendsmsUrl {
  const url = urlOf('SMS_HTTP_URL', text)
  const callback = urlOf('SMS_HTTP_CALLBACK_URL', env.SMS_HTTP_CALLBACK_URL ?? '')
  return {
    url: url.origin + url.pathname,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    callbackUrl: (callback.origin + callback.pathname).replace(/\/+$/, ''),
    callbackPort: countOf(env, 'SMS_HTTP_CALLBACK_PORT'),
  }
}

function urlOf(name: string, text: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL`)
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol)) throw new Error(`${name} must begin with http:// or https://`)
  if (!url.hostname) throw new Error(`${name} names no host`)
  if (name !== 'SMS_HTTP_CALLBACK_URL' && !url.username) throw new Error(`${name} names no user`)
  return url
}

/** An empty sender leaves it to the provider. */
function senderOf(text: string): string {
  if (/^(\+?\d{3,15}|[A-Za-z0-9][A-Za-z0-9 ._&-]{0,10})?$/.test(text)) return text
  throw new Error('SMS_SENDER must be a number, a short code, or at most 11 letters and digits')
}

function countOf(env: Env, name: string, fallback?: number): number {
  const text = env[name]
  if (!text && fallback !== undefined) return fallback
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 65_535) return count
  throw new Error(`${name} must be a whole number from 1 to 65535`)
}
