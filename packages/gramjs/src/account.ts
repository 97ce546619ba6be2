/** Which bot on which server: what every client of Telegram reads from its environment. Errors name the variable, never its value. */

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

/** @throws Error naming the variable that is missing or wrong */
export function readTelegramAccount(env: NodeJS.ProcessEnv): TelegramAccount {
  const botToken = required(env, 'TELEGRAM_BOT_TOKEN', 'the token of the bot, as BotFather gave it')
  const botId = /^(\d{1,19}):.+$/.exec(botToken)?.[1]
  if (!botId) throw new Error('TELEGRAM_BOT_TOKEN is no bot token (digits, a colon, a secret)')
  const apiId = Number(required(env, 'TELEGRAM_API_ID', 'from my.telegram.org'))
  if (!Number.isSafeInteger(apiId) || apiId <= 0) throw new Error('TELEGRAM_API_ID must be a positive number')
  const target = env.TELEGRAM_TARGET === 'sandbox' ? 'sandbox' : 'real'
  return {
    botToken,
    botId,
    apiId,
    apiHash: required(env, 'TELEGRAM_API_HASH', 'from my.telegram.org'),
    target,
    ...(target === 'sandbox' ? { server: serverOf(env) } : {}),
    ...(env.TELEGRAM_SESSION_FILE ? { sessionFile: env.TELEGRAM_SESSION_FILE } : {}),
  }
}

function serverOf(env: NodeJS.ProcessEnv): TelegramServer {
  const place = /^(.+):(\d+)$/.exec(required(env, 'TELEGRAM_DC', 'host:port of the sandbox'))
  if (!place) throw new Error('TELEGRAM_DC must be host:port')
  const [, host, port] = place as unknown as [string, string, string]
  return { host, port: Number(port), publicKey: required(env, 'TELEGRAM_DC_PUBLIC_KEY', 'the PEM of the sandbox') }
}

function required(env: NodeJS.ProcessEnv, name: string, what: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is missing: ${what}`)
  return value
}
