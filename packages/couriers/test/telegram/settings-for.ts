import type { EndpointOf } from '@courier-fleet/channels'
import { readTelegramSettings, type TelegramSettings } from '../../src/telegram/settings.ts'

/** The settings of a courier that talks to this stand-in, as a process would read them from its environment. */
export function settingsFor(endpoint: EndpointOf<'telegram'>, more: NodeJS.ProcessEnv = {}): TelegramSettings {
  return readTelegramSettings({
    TELEGRAM_BOT_TOKEN: endpoint.botToken,
    TELEGRAM_API_ID: String(endpoint.apiId),
    TELEGRAM_API_HASH: endpoint.apiHash,
    TELEGRAM_TARGET: 'sandbox',
    TELEGRAM_DC: `${endpoint.host}:${endpoint.port}`,
    TELEGRAM_DC_PUBLIC_KEY: endpoint.publicKey,
    TELEGRAM_RATE_PER_SECOND: 'off',
    ...more,
  })
}
