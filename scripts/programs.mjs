/**
 * What the processes of a fleet are: the folder of packages/ each is built in, its arguments and its environment.
 * Everybody who starts one, starts it from here: `npm start`, the tests, the bench and the fault suite. Reads the channels'
 * descriptors, so it is imported after the build.
 */
import { join } from 'node:path'
import { courierSettings } from './courier-settings.mjs'
import { inboundSettings } from './inbound.mjs'

/**
 * @typedef {{
 *   name: string,
 *   folder: string,
 *   args?: readonly string[],
 *   env: Readonly<Record<string, string | undefined>>,
 *   niceness?: number,
 * }} Program
 */

const root = join(import.meta.dirname, '..')
/** On few cores whoever sends to thousands gives way to Redis and the queue, so that people who ask are answered at once. */
const courierNiceness = 10
/**
 * Where very many recipients pass through, what is young is tidied up more often, in less room than the 16 MiB node would take for it: tens of
 * megabytes less for each process. Of a courier hundreds of messages are young at once, which in 4 are all moved again and again
 * (tools/bench/notes/burst.md). A courier is far from 1 GiB; where a heap may have 2 or more, V8 lets it grow to four times what lives before it looks what
 * has died, and with 1 to 1.6 times (tools/bench/notes/fanout.md). docker-compose.yml says the same, and ops/kubernetes, where the limit of the container does
 * what the second does.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const memoryOf = {
  queue: ['--max-semi-space-size=4'],
  couriers: ['--max-semi-space-size=8', '--max-old-space-size=1024'],
}

export const mainOf = (folder) => join(root, 'dist/programs', `${folder}.js`)

/**
 * How node runs a program of the build.
 * @param {Pick<Program, 'folder' | 'args'>} program
 * @param {readonly string[]} [nodeArguments] further ones
 */
export function commandOf({ folder, args = [] }, nodeArguments = []) {
  return { file: process.execPath, args: [...(memoryOf[folder] ?? []), ...nodeArguments, mainOf(folder), ...args] }
}

/**
 * @param {{ redisUrl: string, port: number, host?: string, phonesPageUrl?: string, filesDir?: string, publicUrl?: string }} options
 *   phonesPageUrl: where a sign-in code surely appears; filesDir, publicUrl: it takes files with both
 * @returns {Program}
 */
export const queueProgram = ({ redisUrl, port, host, phonesPageUrl, filesDir, publicUrl }) => ({
  name: 'queue',
  folder: 'queue',
  env: {
    REDIS_URL: redisUrl,
    PORT: String(port),
    ...given({ HOST: host, PHONES_PAGE_URL: phonesPageUrl, FILES_DIR: filesDir, PUBLIC_URL: publicUrl }),
  },
})

/**
 * @param {{ redisUrl: string, name?: string }} options
 * @returns {Program}
 */
export const notifierProgram = ({ redisUrl, name = 'notifier' }) => ({
  name,
  folder: 'notifier',
  env: { REDIS_URL: redisUrl },
})

/** @returns {Program} */
export const timekeeperProgram = ({ redisUrl }) => ({
  name: 'timekeeper',
  folder: 'timekeeper',
  env: { REDIS_URL: redisUrl },
})

/**
 * @param {{ port: number, dataDir?: string }} options
 * @returns {Program}
 */
export const sandboxProgram = ({ port, dataDir }) => ({
  name: 'sandbox',
  folder: 'sandbox',
  env: { SANDBOX_PORT: String(port), ...given({ SANDBOX_DATA_DIR: dataDir }) },
  niceness: courierNiceness,
})

/**
 * @param {{ redisUrl: string } & Parameters<typeof courierSettings>[0]} options
 * @returns {Program}
 */
export const courierProgram = ({ redisUrl, ...settings }) => ({
  name: settings.name,
  folder: 'couriers',
  args: [settings.channel],
  env: { REDIS_URL: redisUrl, ...courierSettings(settings) },
  niceness: courierNiceness,
})

/**
 * @param {Parameters<typeof inboundSettings>[0]} settings
 * @returns {Program}
 */
export const inboundProgram = (settings) => ({
  name: settings.inbound.name,
  folder: settings.inbound.folder,
  args: settings.inbound.args,
  env: inboundSettings(settings),
})

/** without those that are undefined: they leave alone what the environment says already */
const given = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
