/** Which bot on which server: what every client of Telegram reads from its environment. Errors name the variable, never its value. */
import { type Env, matching, optional, readSettings, target, text, whole } from '@courier-fleet/process'

export interface TelegramAccount {
  readonly botToken: string
  /** the bot's user id: the part of the token that is no secret */
  readonly botId: string
  readonly apiId: number
  readonly apiHash: string
  readonly target: 'sandbox' | 'real'
  /** a data centre of one's own; Telegram's when absent */
  readonly server?: TelegramServer
  /** keeps the login over restarts; in memory only when absent */
  readonly sessionFile?: string
}

export interface TelegramServer {
  readonly host: string
  readonly port: number
  /** PEM */
  readonly publicKey: string
}

const fields = {
  TELEGRAM_BOT_TOKEN: matching(
    /^\d{1,19}:.+$/,
    'the token of the bot, as BotFather gave it: digits, a colon, a secret',
  ),
  TELEGRAM_API_ID: whole(1, Number.MAX_SAFE_INTEGER),
  TELEGRAM_API_HASH: text('the one from my.telegram.org'),
  TELEGRAM_TARGET: target,
  TELEGRAM_SESSION_FILE: optional(text('a file')),
}
const ofSandbox = {
  TELEGRAM_DC: matching(/^.+:\d+$/, 'host:port of the sandbox'),
  TELEGRAM_DC_PUBLIC_KEY: text('the PEM of the sandbox'),
}

/** @throws Error naming the variable that is missing or wrong */
export function readTelegramAccount(env: Env): TelegramAccount {
  const settings = readSettings(env, fields)
  const { TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_TARGET, TELEGRAM_SESSION_FILE: sessionFile } = settings
  return {
    botToken,
    botId: botToken.slice(0, botToken.indexOf(':')),
    apiId: settings.TELEGRAM_API_ID,
    apiHash: settings.TELEGRAM_API_HASH,
    target: TELEGRAM_TARGET,
    ...(TELEGRAM_TARGET === 'sandbox' ? { server: serverOf(env) } : {}),
    ...(sessionFile ? { sessionFile } : {}),
  }
}

function serverOf(env: Env): TelegramServer {
  const { TELEGRAM_DC, TELEGRAM_DC_PUBLIC_KEY: publicKey } = readSettings(env, ofSandbox)
  const colon = TELEGRAM_DC.lastIndexOf(':')
  return { host: TELEGRAM_DC.slice(0, colon), port: Number(TELEGRAM_DC.slice(colon + 1)), publicKey }
}
