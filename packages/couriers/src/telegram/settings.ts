/** What the Telegram courier reads from its environment. Errors are one line, name the variable and never repeat its value. */
import { readTelegramAccount, type TelegramAccount } from '@courier-fleet/gramjs'

export interface TelegramSettings extends TelegramAccount {
  /** messages a second of the bot, over all processes; undefined when the limit is lifted */
  readonly ratePerSecond: number | undefined
  /** one send() ends within this, ms */
  readonly deadlineMs: number
}

/** One send() has this long: a quarter of it to get a turn, the rest for Telegram's answers. */
const deadlineMs = 19_000
const defaultRatePerSecond = 30

/** @throws Error naming the variable that is missing or wrong */
export function readTelegramSettings(env: NodeJS.ProcessEnv): TelegramSettings {
  return { ...readTelegramAccount(env), ratePerSecond: rateOf(env.TELEGRAM_RATE_PER_SECOND), deadlineMs }
}

function rateOf(text: string | undefined): number | undefined {
  if (text === 'off') return undefined
  const rate = text ? Number(text) : defaultRatePerSecond
  if (!Number.isFinite(rate) || rate <= 0) throw new Error('TELEGRAM_RATE_PER_SECOND must be a positive number or off')
  return rate
}
