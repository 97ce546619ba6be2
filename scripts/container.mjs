/**
 * What a container of docker-compose.yml runs: `container.mjs queue`, `container.mjs courier vk` … Becomes that process. A
 * courier whose channel has no token of its own first asks the sandbox at SANDBOX_URL for its settings.
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { channelOf, isReal } from '@courier-fleet/channels'
import { createLog, runProcess } from '@courier-fleet/process'
import { startSandbox } from '@courier-fleet/sandbox'
import { courierSettings } from './courier-settings.mjs'
import { inboundProcesses, inboundSettings } from './inbound.mjs'
import { mainOf } from './programs.mjs'
import { linkSandbox } from './sandbox-link.mjs'

const root = join(import.meta.dirname, '..')
const [role, channel] = process.argv.slice(2)
const roles = {
  queue: () => become('queue'),
  timekeeper: () => become('timekeeper'),
  notifier: () => become('notifier'),
  courier: async () => {
    Object.assign(process.env, await settings())
    await become('couriers', channel)
  },
  ...Object.fromEntries(inboundProcesses.map((inbound) => [inbound.name, () => becomeInbound(inbound)])),
  // the stand-ins listen on loopback unless told otherwise; here the couriers are in other containers
  sandbox: () => {
    const log = createLog(process.env.PROCESS_NAME)
    const port = Number(process.env.SANDBOX_PORT)
    // what the others call this container
    const names = [new URL(process.env.SANDBOX_URL).hostname]
    return runProcess(log, () => startSandbox({ port, host: '0.0.0.0', names, log }))
  },
}
if (!roles[role]) throw new Error(`container.mjs: the first argument is one of ${Object.keys(roles).join(', ')}`)
// copies of one service differ by the name of their container
process.env.PROCESS_NAME ??= [role, channel, hostname()].filter(Boolean).join('-')
await roles[role]()

async function become(folder, ...args) {
  process.argv = [process.argv[0], mainOf(folder), ...args]
  await import(process.argv[1])
}

/** Its API key is in its environment: nobody here can make one. */
async function becomeInbound(inbound) {
  const { FLEET_API_URL: apiUrl, [inbound.keyName]: apiKey } = process.env
  const endpoints = await endpointsFor(inbound.channel)
  const dataDir = join(root, '.data')
  Object.assign(process.env, inboundSettings({ inbound, env: process.env, endpoints, dataDir, apiUrl, apiKey }))
  await become(inbound.folder, ...inbound.args)
}

async function endpointsFor(channel) {
  return isReal(channelOf(channel), process.env) ? undefined : sandboxEndpoints(new URL(process.env.SANDBOX_URL))
}

async function settings() {
  const endpoints = await endpointsFor(channel)
  return courierSettings({ channel, name: hostname(), env: process.env, endpoints, dataDir: join(root, '.data') })
}

/** The sandbox tells where it listens inside its own container. */
async function sandboxEndpoints(url) {
  const phonesFile = join(root, 'demo/sandbox-phones.json')
  const rosterFile = join(root, 'demo/roster.csv')
  const endpoints = await linkSandbox({ url: url.origin, phonesFile, rosterFile, isAlive: () => true })
  return Object.fromEntries(
    Object.entries(endpoints).map(([channel, endpoint]) => [channel, { ...endpoint, host: url.hostname }]),
  )
}
