/** What the Telegram courier reads from its environment. Errors are one line, name the variable and never repeat its value. */
import { readTelegramAccount, type TelegramAccount } from '@courier-fleet/gramjs'
import { type Env, limit, parsePositive, readSettings } from '@courier-fleet/process'

export interface TelegramSettings extends TelegramAccount {
  /** messages a second of the bot, over all processes; undefined when the limit is lifted */
  readonly ratePerSecond: number | undefined
  /** one send() ends within this, ms */
  readonly deadlineMs: number
  /** calls that are under way when the connection is lost wait so long for the next one, ms; as usual when absent */
  readonly lostPatienceMs?: number
}

/** One send() has this long: a quarter of it to wait for the rate, the rest for Telegram's answers. */
const deadlineMs = 19_000
const fields = { TELEGRAM_RATE_PER_SECOND: limit('a positive number', parsePositive, 30) }

/** @throws Error naming the variable that is missing or wrong */
export function readTelegramSettings(env: Env): TelegramSettings {
  const { TELEGRAM_RATE_PER_SECOND: ratePerSecond } = readSettings(env, fields)
  return { ...readTelegramAccount(env), ratePerSecond, deadlineMs }
}
