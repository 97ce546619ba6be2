/** The settings, from the environment. Every error is one line that names the variable and hides its value. */

import { parseSmppUrl, type SmppUrl } from '@courier-fleet/smpp'
import { type Env, required } from '../settings.ts'

export interface SmsConfig {
  /** at least one of the two */
  readonly smpp?: { readonly url: SmppUrl; readonly number: string | undefined }
  readonly http?: { readonly host: string; readonly port: number; readonly secret: string }
}

const minSecretLength = 16

/** @throws Error naming the variable that is missing or wrong */
export function readConfig(env: Env): SmsConfig {
  const smppUrl = env.SMS_INBOUND_SMPP_URL || env.SMS_SMPP_URL
  const name = env.SMS_INBOUND_SMPP_URL ? 'SMS_INBOUND_SMPP_URL' : 'SMS_SMPP_URL'
  const port = env.SMS_INBOUND_HTTP_PORT
  if (!smppUrl && !port) throw new Error('set SMS_INBOUND_SMPP_URL, SMS_SMPP_URL or SMS_INBOUND_HTTP_PORT')
  return {
    ...(smppUrl ? { smpp: { url: parseSmppUrl(name, smppUrl), number: numberOf(env.SMS_INBOUND_NUMBER) } } : {}),
    ...(port
      ? { http: { host: env.SMS_INBOUND_HTTP_HOST || '127.0.0.1', port: portOf(port), secret: secretOf(env) } }
      : {}),
  }
}

function numberOf(text: string | undefined): string | undefined {
  if (!text || /^\+?\d{3,15}$/.test(text)) return text?.replace('+', '') || undefined
  throw new Error('SMS_INBOUND_NUMBER must be a number or a short code')
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new Error('SMS_INBOUND_HTTP_PORT must be a whole number from 1 to 65535')
}

function secretOf(env: Env): string {
  const secret = required(env, 'SMS_INBOUND_HTTP_SECRET')
  if (secret.length >= minSecretLength) return secret
  throw new Error(`SMS_INBOUND_HTTP_SECRET must have at least ${minSecretLength} characters`)
}
