/** A browser's subscription as one text: the URL at its push service, and behind # the browser's keys (RFC 8291). */
import { normaliseUrl } from '../http/address.ts'

/** As a browser gives it: `PushSubscription.toJSON()`. */
export interface BrowserSubscription {
  /** whoever knows it and the keys can write to the browser */
  readonly endpoint: string
  /** base64url: an uncompressed point of P-256, and 16 bytes */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** The last letter of each holds bits that are nobody's: only one spelling of the same bytes is taken. */
const keyForm = /^B[A-P][\w-]{84}[AEIMQUYcgkosw048]$/
const authForm = /^[\w-]{21}[AQgw]$/

export const pushAddressOf = ({ endpoint, keys: { p256dh, auth } }: BrowserSubscription): string =>
  `${endpoint}#${p256dh}.${auth}`

/** @returns undefined when this is no address of the channel */
export function subscriptionIn(address: string): BrowserSubscription | undefined {
  const [written = '', given = ''] = address.split('#', 2)
  const [p256dh = '', auth = '', ...rest] = given.split('.')
  const endpoint = normaliseUrl(written)
  const isWhole = rest.length === 0 && keyForm.test(p256dh) && authForm.test(auth)
  return endpoint !== undefined && isWhole ? { endpoint, keys: { p256dh, auth } } : undefined
}

export function normalisePushAddress(text: string): string | undefined {
  const subscription = subscriptionIn(text)
  return subscription && pushAddressOf(subscription)
}

/** Whose browser it is, and which: nobody can write to it who knows only this. */
export function shownPushAddress(address: string): string {
  const found = subscriptionIn(address)
  return found ? `${new URL(found.endpoint).host} …${found.keys.p256dh.slice(-8)}` : ''
}

/** The example of RFC 8291, whose private key everybody can read there: of browsers that are made up. */
export const madeUpKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
} as const
