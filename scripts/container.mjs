/**
 * What a container of docker-compose.yml runs: `container.mjs queue`, `container.mjs courier vk` … Becomes that process. A
 * courier whose channel has no token of its own first asks the sandbox at SANDBOX_URL for its settings.
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { courierSettings, isReal } from './courier-settings.mjs'
import { linkSandbox } from './sandbox-link.mjs'

const root = join(import.meta.dirname, '..')
const folders = { queue: 'queue', timekeeper: 'timekeeper', sandbox: 'sandbox', courier: 'couriers' }
const [role, channel] = process.argv.slice(2)
const folder = folders[role]
if (!folder) throw new Error(`container.mjs: the first argument is one of ${Object.keys(folders).join(', ')}`)

// copies of one service differ by the name of their container
const name = role === 'queue' ? 'queue' : [role, channel, hostname()].filter(Boolean).join('-')
process.env.PROCESS_NAME ??= name
if (role === 'courier') Object.assign(process.env, await settings())
process.argv = [process.argv[0], join(root, 'packages', folder, 'dist/main.js'), ...(channel ? [channel] : [])]
await import(process.argv[1])

async function settings() {
  const endpoints = isReal(channel, process.env) ? undefined : await sandboxEndpoints(new URL(process.env.SANDBOX_URL))
  return courierSettings({ channel, name: hostname(), env: process.env, endpoints, dataDir: join(root, '.data') })
}

/** The sandbox tells where it listens inside its own container. */
async function sandboxEndpoints(url) {
  const phonesFile = join(root, 'demo/sandbox-phones.json')
  const { telegram, vk, sms } = await linkSandbox({ url: url.origin, phonesFile, isAlive: () => true })
  const api = new URL(vk.apiBaseUrl)
  api.hostname = url.hostname
  return {
    telegram: { ...telegram, host: url.hostname },
    vk: { ...vk, apiBaseUrl: api.href },
    sms: { ...sms, host: url.hostname },
  }
}
