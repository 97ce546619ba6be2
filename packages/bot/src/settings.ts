/** What the bot reads from its environment. Errors are one line, name the variable and never repeat its value. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readTelegramAccount, type TelegramAccount } from '@courier-fleet/gramjs'
import { type InboundSettings, readInboundSettings } from '@courier-fleet/inbound'
import type { Env } from '@courier-fleet/process'

/** In `dataDir` are the conversations, and how far Telegram's events have been dealt with. */
export interface BotSettings extends InboundSettings {
  readonly account: TelegramAccount
}

/** @throws Error naming the variable that is missing or wrong */
export function readBotSettings(env: Env): BotSettings {
  const settings = readInboundSettings('bot', env)
  const { dataDir } = settings
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const account = readTelegramAccount(env)
  // a session belongs to one process: the courier of the same bot has another
  const sessionFile = account.sessionFile ?? join(dataDir, 'session')
  return { ...settings, account: { ...account, sessionFile } }
}
