/** What the bot reads from its environment. Errors are one line, name the variable and never repeat its value. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readTelegramAccount, type TelegramAccount } from '@courier-fleet/gramjs'

export interface BotSettings {
  readonly account: TelegramAccount
  readonly apiUrl: string
  /** of role `inbound` */
  readonly apiKey: string
  /** conversations, and how far Telegram's events have been dealt with */
  readonly dataDir: string
}

/** @throws Error naming the variable that is missing or wrong */
export function readBotSettings(env: NodeJS.ProcessEnv): BotSettings {
  const apiUrl = env.FLEET_API_URL || 'http://127.0.0.1:8080'
  if (!URL.canParse(apiUrl)) throw new Error('FLEET_API_URL must be a URL such as http://127.0.0.1:8080')
  const apiKey = env.BOT_API_KEY
  if (!apiKey) throw new Error('BOT_API_KEY is missing: an API key of role inbound')
  const dataDir = env.BOT_DATA_DIR || '.data/bot'
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const account = readTelegramAccount(env)
  // a session belongs to one process: the courier of the same bot has another
  const sessionFile = account.sessionFile ?? join(dataDir, 'session')
  return { account: { ...account, sessionFile }, apiUrl, apiKey, dataDir }
}
