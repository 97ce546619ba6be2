/** The couriers know only their environment: here it is filled in, from the user's own tokens or from the sandbox. */
import { join } from 'node:path'

/** What has to be set, per channel, for it to talk to the real service; any one of a line chooses that line. */
const realSettings = {
  telegram: [['TELEGRAM_BOT_TOKEN', 'TELEGRAM_API_ID', 'TELEGRAM_API_HASH']],
  vk: [['VK_TOKEN']],
  sms: [['SMS_SMPP_URL'], ['SMS_HTTP_URL', 'SMS_HTTP_CALLBACK_URL', 'SMS_HTTP_CALLBACK_PORT']],
}

export const channels = Object.keys(realSettings)

/**
 * @returns {boolean} whether the user's environment has what this channel's real service needs
 * @throws Error when it has only a part of it
 */
export function isReal(channel, env) {
  const chosen = realSettings[channel].find(([first]) => env[first])
  const missing = chosen?.filter((name) => !env[name]) ?? []
  if (missing.length > 0) throw new Error(`${chosen[0]} is set, but not ${missing.join(' and ')}`)
  return chosen !== undefined
}

/**
 * @param {object} options
 * @param {string} options.channel
 * @param {string} options.name of the process
 * @param {Record<string, string | undefined>} options.env the user's
 * @param {import('@courier-fleet/sandbox').Endpoints | undefined} options.endpoints of the sandbox
 * @param {string} options.dataDir
 */
export function courierSettings({ channel, name, env, endpoints, dataDir }) {
  const real = isReal(channel, env)
  const target = real ? 'real' : 'sandbox'
  const settings = { [`${channel.toUpperCase()}_TARGET`]: target }
  // a session belongs to one account on one service, and to one process at a time
  if (channel === 'telegram') settings.TELEGRAM_SESSION_FILE = join(dataDir, 'sessions', `${name}.${target}`)
  return real ? settings : { ...settings, ...sandboxSettings[channel](endpoints[channel]) }
}

const sandboxSettings = {
  telegram: ({ host, port, apiId, apiHash, botToken, publicKey }) => ({
    TELEGRAM_BOT_TOKEN: botToken,
    TELEGRAM_API_ID: String(apiId),
    TELEGRAM_API_HASH: apiHash,
    TELEGRAM_DC: `${host}:${port}`,
    TELEGRAM_DC_PUBLIC_KEY: publicKey,
  }),
  vk: ({ token, apiBaseUrl }) => ({ VK_TOKEN: token, VK_API_BASE_URL: apiBaseUrl }),
  sms: ({ host, port, systemId, password }) => ({
    SMS_SMPP_URL: `smpp://${encodeURIComponent(systemId)}:${encodeURIComponent(password)}@${host}:${port}`,
  }),
}
