/**
 * The couriers know only their environment: here it is filled in, from the user's own tokens or from the sandbox. Reads the
 * channels' descriptors, so it is imported after the build.
 */
import { join } from 'node:path'
import { channelOf, isReal } from '@courier-fleet/channels'

/**
 * @param {object} options
 * @param {string} options.channel
 * @param {string} options.name of the process
 * @param {Record<string, string | undefined>} options.env the user's
 * @param {Partial<import('@courier-fleet/channels').Endpoints> | undefined} options.endpoints of the sandbox
 * @param {string} options.dataDir
 * @returns {Record<string, string>}
 */
export function courierSettings({ channel, name, env, endpoints, dataDir }) {
  const descriptor = channelOf(channel)
  const { sessionFile, sandbox } = descriptor.settings
  const real = isReal(descriptor, env)
  const target = real ? 'real' : 'sandbox'
  return {
    [`${channel.toUpperCase()}_TARGET`]: target,
    // a session belongs to one account on one service, and to one process at a time
    ...(sessionFile ? { [sessionFile]: join(dataDir, 'sessions', `${name}.${target}`) } : {}),
    ...(real ? {} : sandbox(endpoints[channel])),
  }
}
