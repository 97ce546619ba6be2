/** An inbound process knows only its environment, as a courier does: where the API is, a key of its own, and its channel. */
import { join } from 'node:path'
import { channelOf, channels, isReal } from '@courier-fleet/channels'
import { courierSettings } from './courier-settings.mjs'

/** Each a process of a folder in packages/; with the variables for its API key, and for what it notes. */
export const inboundProcesses = channels.flatMap(({ name: channel, inbound }) =>
  inbound ? [processOf(channel, inbound)] : [],
)

function processOf(channel, { name, package: folder }) {
  const prefix = name.toUpperCase().replaceAll('-', '_')
  const args = folder === 'inbound' ? [channel] : []
  return { name, folder, args, channel, keyName: `${prefix}_API_KEY`, dirName: `${prefix}_DATA_DIR` }
}

/** Whether there is anything it could hear. */
export function hears({ channel }, env) {
  const descriptor = channelOf(channel)
  return !isReal(descriptor, env) || (descriptor.inbound.hears?.(env) ?? true)
}

/**
 * @param {object} options
 * @param {(typeof inboundProcesses)[number]} options.inbound
 * @param {Record<string, string | undefined>} options.env the user's
 * @param {Partial<import('@courier-fleet/channels').Endpoints> | undefined} options.endpoints of the sandbox
 * @param {string} options.dataDir
 * @param {string} options.apiUrl
 * @param {string} options.apiKey of this inbound process
 */
export function inboundSettings({ inbound, env, endpoints, dataDir, apiUrl, apiKey }) {
  const { name, channel, keyName, dirName } = inbound
  const descriptor = channelOf(channel)
  return {
    FLEET_API_URL: apiUrl,
    [keyName]: apiKey,
    [dirName]: env[dirName] || join(dataDir, name),
    ...courierSettings({ channel, name, env, endpoints, dataDir }),
    ...(isReal(descriptor, env) ? {} : descriptor.inbound.sandbox?.(endpoints[channel])),
  }
}
