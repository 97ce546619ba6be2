/** The settings, from the environment. Every error is one line that names the variable and hides its value. */
import { type Env, field, listenHost, matching, optional, port, readSettings } from '@courier-fleet/process'
import { type SmppUrl, smppUrl } from '@courier-fleet/smpp'

export interface SmsConfig {
  /** what people write to, as they dial it; unknown where nobody has said so */
  readonly number?: string
  /** at least one of the two */
  readonly smpp?: { readonly url: SmppUrl; readonly number: string | undefined }
  readonly http?: { readonly host: string; readonly port: number; readonly secret: string }
}

const minSecretLength = 16
const fields = {
  SMS_INBOUND_SMPP_URL: optional(smppUrl),
  SMS_SMPP_URL: optional(smppUrl),
  SMS_INBOUND_NUMBER: optional(matching(/^\+?\d{3,15}$/, 'a number or a short code')),
  SMS_INBOUND_HTTP_PORT: optional(port),
}
const ofHttp = {
  SMS_INBOUND_HTTP_HOST: listenHost,
  SMS_INBOUND_HTTP_SECRET: field(`at least ${minSecretLength} characters long`, (secret) =>
    secret.length >= minSecretLength ? secret : undefined,
  ),
}

/** @throws Error naming the variable that is missing or wrong */
export function readConfig(env: Env): SmsConfig {
  const settings = readSettings(env, fields)
  const url = settings.SMS_INBOUND_SMPP_URL ?? settings.SMS_SMPP_URL
  const httpPort = settings.SMS_INBOUND_HTTP_PORT
  if (!url && !httpPort) throw new Error('set SMS_INBOUND_SMPP_URL, SMS_SMPP_URL or SMS_INBOUND_HTTP_PORT')
  const { SMS_INBOUND_NUMBER: dialled } = settings
  const number = dialled?.replace('+', '')
  return {
    ...(dialled ? { number: dialled } : {}),
    ...(url ? { smpp: { url, number } } : {}),
    ...(httpPort ? { http: httpOf(env, httpPort) } : {}),
  }
}

function httpOf(env: Env, port: number): NonNullable<SmsConfig['http']> {
  const { SMS_INBOUND_HTTP_HOST: host, SMS_INBOUND_HTTP_SECRET: secret } = readSettings(env, ofHttp)
  return { host, port, secret }
}
