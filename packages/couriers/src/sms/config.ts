/** The SMS courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import {
  type Env,
  limit,
  listenHost,
  loginOf,
  matching,
  optional,
  parseWhole,
  port,
  readSettings,
  target,
  url,
  whole,
  withDefault,
} from '@courier-fleet/process'
import { type SmppUrl, smppUrl } from '@courier-fleet/smpp'

export interface SendsmsUrl {
  /** without user and password */
  readonly url: string
  readonly username: string
  readonly password: string
  /** where the gateway reaches this courier with delivery reports; no trailing slash */
  readonly callbackUrl: string
  /** the address the courier listens on for them */
  readonly callbackHost: string
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
  /** segments a second, over all processes; undefined when the limit is lifted */
  readonly perSecond: number | undefined
}

const maxCount = 65_535
const fields = {
  SMS_SMPP_URL: optional(smppUrl),
  SMS_HTTP_URL: optional(url('http://user:password@gateway:13013/cgi-bin/sendsms', 'http:', 'https:')),
  SMS_TARGET: target,
  /** an empty sender leaves it to the provider */
  SMS_SENDER: withDefault(
    matching(
      /^(\+?\d{3,15}|[A-Za-z0-9][A-Za-z0-9 ._&-]{0,10})$/,
      'a number, a short code, or at most 11 letters and digits',
    ),
    '',
  ),
  SMS_WINDOW: withDefault(whole(1, maxCount), 50),
  SMS_PER_SECOND: limit(`a whole number from 1 to ${maxCount}`, parseWhole(1, maxCount), 100),
}
const ofCallback = {
  SMS_HTTP_CALLBACK_URL: url('https://fleet.example', 'http:', 'https:'),
  SMS_HTTP_CALLBACK_HOST: listenHost,
  SMS_HTTP_CALLBACK_PORT: port,
}

/** @throws Error naming the variable that is wrong */
export function smsConfig(env: Env): SmsConfig {
  const settings = readSettings(env, fields)
  const { SMS_SMPP_URL: smpp, SMS_HTTP_URL: gateway } = settings
  if (!smpp === !gateway) throw new Error('set exactly one of SMS_SMPP_URL and SMS_HTTP_URL')
  const provider: Provider = smpp ? { smpp } : { sendsms: sendsmsOf(gateway as URL, env) }
  const [user, host] = provider.smpp
    ? [provider.smpp.systemId, `${provider.smpp.host}:${provider.smpp.port}`]
    : [provider.sendsms.username, new URL(provider.sendsms.url).host]
  return {
    ...provider,
    account: `${user}-${host}`.replace(/[^A-Za-z0-9]+/g, '-'),
    target: settings.SMS_TARGET,
    sender: settings.SMS_SENDER,
    window: settings.SMS_WINDOW,
    perSecond: settings.SMS_PER_SECOND,
  }
}

function sendsmsOf(gateway: URL, env: Env): SendsmsUrl {
  const login = loginOf(gateway)
  if (!login) throw new Error('SMS_HTTP_URL must name a user and a password, both percent-encoded')
  const {
    SMS_HTTP_CALLBACK_URL: callback,
    SMS_HTTP_CALLBACK_HOST: callbackHost,
    SMS_HTTP_CALLBACK_PORT: callbackPort,
  } = readSettings(env, ofCallback)
  return {
    url: gateway.origin + gateway.pathname,
    username: login.user,
    password: login.password,
    callbackUrl: (callback.origin + callback.pathname).replace(/\/+$/, ''),
    callbackHost,
    callbackPort,
  }
}
