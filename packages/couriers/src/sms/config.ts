/** The SMS courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import {
  type Env,
  type Field,
  field,
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

export interface SmsConfig {
  readonly target: 'sandbox' | 'real'
  /** people in doubt at once, in one process, whichever centre they were given to */
  readonly window: number
  /** one, or two of different accounts; the first has every number that is not among the prefixes of the second */
  readonly centres: readonly [CentreConfig, CentreConfig?]
  /** beginnings of the numbers that the other centre may take where theirs fails */
  readonly takeOver: readonly string[]
}

export type CentreConfig = CentreSettings & Provider

/** exactly one of the two */
type Provider =
  | { readonly smpp: SmppUrl; readonly sendsms?: undefined }
  | { readonly smpp?: undefined; readonly sendsms: SendsmsUrl }

interface CentreSettings {
  readonly name: 'first' | 'second'
  /** user, host and port of the provider, in letters, digits and - */
  readonly account: string
  readonly sender: string
  /** unanswered submits at once, in one process */
  readonly window: number
  /** segments a second, over all processes; undefined when the limit is lifted */
  readonly perSecond: number | undefined
  /** beginnings of the numbers that it is there for */
  readonly prefixes: readonly string[]
}

const maxCount = 65_535
/** every number has it */
const anyNumber = '+'
const gatewayUrl = url('http://user:password@gateway:13013/cgi-bin/sendsms', 'http:', 'https:')
const callbackUrl = url('https://fleet.example', 'http:', 'https:')
/** an empty sender leaves it to the provider */
const sender = matching(
  /^(\+?\d{3,15}|[A-Za-z0-9][A-Za-z0-9 ._&-]{0,10})$/,
  'a number, a short code, or at most 11 letters and digits',
)
const prefixes = field('beginnings of numbers with commas between them, such as +7916,+375', (given) => {
  const found = given.split(',').map((each) => each.trim())
  return found.every((each) => /^\+\d{1,14}$/.test(each)) ? found : undefined
})
const takeOver: Field<readonly string[]> = (given, name) =>
  given === 'off' ? [] : given === undefined ? [anyNumber] : prefixes(given, name)
const perSecond = limit(`a whole number from 1 to ${maxCount}`, parseWhole(1, maxCount), 100)

const fields = {
  SMS_SMPP_URL: optional(smppUrl),
  SMS_HTTP_URL: optional(gatewayUrl),
  SMS_TARGET: target,
  SMS_SENDER: withDefault(sender, ''),
  SMS_WINDOW: withDefault(whole(1, maxCount), 50),
  SMS_PER_SECOND: perSecond,
}
const ofCallback = {
  SMS_HTTP_CALLBACK_URL: callbackUrl,
  SMS_HTTP_CALLBACK_HOST: listenHost,
  SMS_HTTP_CALLBACK_PORT: port,
}
const ofSecond = {
  SMS_SECOND_SMPP_URL: optional(smppUrl),
  SMS_SECOND_HTTP_URL: optional(gatewayUrl),
  SMS_SECOND_PREFIXES: withDefault(prefixes, []),
  SMS_SECOND_SENDER: optional(sender),
  SMS_SECOND_WINDOW: optional(whole(1, maxCount)),
  SMS_SECOND_PER_SECOND: perSecond,
  SMS_TAKE_OVER: takeOver,
}
const ofSecondCallback = {
  SMS_SECOND_HTTP_CALLBACK_URL: callbackUrl,
  SMS_SECOND_HTTP_CALLBACK_HOST: listenHost,
  SMS_SECOND_HTTP_CALLBACK_PORT: port,
}

/** @throws Error naming the variable that is wrong */
export function smsConfig(env: Env): SmsConfig {
  const settings = readSettings(env, fields)
  const { SMS_SMPP_URL: smpp, SMS_HTTP_URL: gateway, SMS_WINDOW: window } = settings
  if (!smpp === !gateway) throw new Error('set exactly one of SMS_SMPP_URL and SMS_HTTP_URL')
  const provider = smpp ? { smpp } : { sendsms: firstSendsms(gateway as URL, env) }
  const first: CentreConfig = {
    ...provider,
    name: 'first',
    account: accountOf(provider),
    sender: settings.SMS_SENDER,
    window,
    perSecond: settings.SMS_PER_SECOND,
    prefixes: [],
  }
  const { second, takeOver = [] } = secondCentre(env, first)
  return { target: settings.SMS_TARGET, window, centres: second ? [first, second] : [first], takeOver }
}

function secondCentre(
  env: Env,
  first: CentreConfig,
): { readonly second?: CentreConfig; readonly takeOver?: readonly string[] } {
  const settings = readSettings(env, ofSecond)
  const { SMS_SECOND_SMPP_URL: smpp, SMS_SECOND_HTTP_URL: gateway } = settings
  if (!smpp && !gateway) return {}
  if (smpp && gateway) throw new Error('set one of SMS_SECOND_SMPP_URL and SMS_SECOND_HTTP_URL, not both')
  const provider = smpp ? { smpp } : { sendsms: secondSendsms(gateway as URL, env) }
  const account = accountOf(provider)
  if (account === first.account)
    throw new Error(`SMS_SECOND_${smpp ? 'SMPP' : 'HTTP'}_URL must name another account than that of the first centre`)
  const second: CentreConfig = {
    ...provider,
    name: 'second',
    account,
    sender: settings.SMS_SECOND_SENDER ?? first.sender,
    window: Math.min(settings.SMS_SECOND_WINDOW ?? first.window, first.window),
    perSecond: settings.SMS_SECOND_PER_SECOND,
    prefixes: settings.SMS_SECOND_PREFIXES,
  }
  return { second, takeOver: settings.SMS_TAKE_OVER }
}

function accountOf({ smpp, sendsms }: Provider): string {
  const [user, host] = smpp
    ? [smpp.systemId, `${smpp.host}:${smpp.port}`]
    : [sendsms.username, new URL(sendsms.url).host]
  return `${user}-${host}`.replace(/[^A-Za-z0-9]+/g, '-')
}

function firstSendsms(gateway: URL, env: Env): SendsmsUrl {
  const login = loginIn(gateway, 'SMS_HTTP_URL')
  const read = readSettings(env, ofCallback)
  return sendsmsOf(gateway, login, {
    url: read.SMS_HTTP_CALLBACK_URL,
    host: read.SMS_HTTP_CALLBACK_HOST,
    port: read.SMS_HTTP_CALLBACK_PORT,
  })
}

function secondSendsms(gateway: URL, env: Env): SendsmsUrl {
  const login = loginIn(gateway, 'SMS_SECOND_HTTP_URL')
  const read = readSettings(env, ofSecondCallback)
  return sendsmsOf(gateway, login, {
    url: read.SMS_SECOND_HTTP_CALLBACK_URL,
    host: read.SMS_SECOND_HTTP_CALLBACK_HOST,
    port: read.SMS_SECOND_HTTP_CALLBACK_PORT,
  })
}

type Login = NonNullable<ReturnType<typeof loginOf>>

function loginIn(gateway: URL, variable: string): Login {
  const login = loginOf(gateway)
  if (!login) throw new Error(`${variable} must name a user and a password, both percent-encoded`)
  return login
}

function sendsmsOf(
  gateway: URL,
  { user, password }: Login,
  callback: { readonly url: URL; readonly host: string; readonly port: number },
): SendsmsUrl {
  return {
    url: gateway.origin + gateway.pathname,
    username: user,
    password,
    callbackUrl: (callback.url.origin + callback.url.pathname).replace(/\/+$/, ''),
    callbackHost: callback.host,
    callbackPort: callback.port,
  }
}
