/** An inbound process knows only its environment, as a courier does: where the API is, a key of its own, and its channel. */
import { join } from 'node:path'
import { courierSettings, isReal } from './courier-settings.mjs'

/** Each a process of a folder in packages/; with the variables for its API key, and for what it notes. */
export const inboundProcesses = [
  { name: 'bot', folder: 'bot', args: [], channel: 'telegram', keyName: 'BOT_API_KEY', dirName: 'BOT_DATA_DIR' },
  {
    name: 'sms-inbound',
    folder: 'inbound',
    args: ['sms'],
    channel: 'sms',
    keyName: 'SMS_INBOUND_API_KEY',
    dirName: 'SMS_INBOUND_DATA_DIR',
  },
  {
    name: 'vk-inbound',
    folder: 'inbound',
    args: ['vk'],
    channel: 'vk',
    keyName: 'VK_INBOUND_API_KEY',
    dirName: 'VK_INBOUND_DATA_DIR',
  },
]

/** Whether there is anything it could hear: a gateway that is only called gives no texts. */
export function hears({ channel }, env) {
  const { SMS_SMPP_URL, SMS_INBOUND_SMPP_URL, SMS_INBOUND_HTTP_PORT } = env
  if (channel !== 'sms' || !isReal('sms', env)) return true
  return Boolean(SMS_SMPP_URL || SMS_INBOUND_SMPP_URL || SMS_INBOUND_HTTP_PORT)
}

/**
 * @param {object} options
 * @param {(typeof inboundProcesses)[number]} options.inbound
 * @param {Record<string, string | undefined>} options.env the user's
 * @param {import('@courier-fleet/sandbox').Endpoints | undefined} options.endpoints of the sandbox
 * @param {string} options.dataDir
 * @param {string} options.apiUrl
 * @param {string} options.apiKey of this inbound process
 */
export function inboundSettings({ inbound, env, endpoints, dataDir, apiUrl, apiKey }) {
  const { name, channel, keyName, dirName } = inbound
  return {
    FLEET_API_URL: apiUrl,
    [keyName]: apiKey,
    [dirName]: env[dirName] || join(dataDir, name),
    ...courierSettings({ channel, name, env, endpoints, dataDir }),
    ...(channel === 'sms' && !isReal('sms', env) ? { SMS_INBOUND_NUMBER: endpoints.sms.number } : {}),
  }
}
