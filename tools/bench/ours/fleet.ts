/** A fleet of ours as `npm start` runs one, on the bench's Redis: the built programs, the sandbox in place of the providers. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName, Endpoint, Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import type { LimitChanges } from '@courier-fleet/sandbox'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { keys } from '@courier-fleet/store'
import { courierSettings } from '../../../scripts/courier-settings.mjs'
import { untilReady } from '../../../scripts/readiness.mjs'
import { freePort } from '../../../scripts/redis.mjs'
import type { Server } from '../server/server.ts'
import { type Api, connectApi } from './api.ts'
import { type Line, type LineOptions, openLine } from './line.ts'
import { createProcesses, type Processes } from './processes.ts'
import { connectProvider, endpointsOf, type Provider } from './provider.ts'

const startMs = 20_000
/** what `npm start` gives couriers and sandbox */
const courierNiceness = 10
const unlimited = { TELEGRAM_RATE_PER_SECOND: 'off', SMS_PER_SECOND: 'off', VK_CALLS_PER_SECOND: 'off' }

export interface FleetOptions {
  readonly server: Server
  /** processes of each channel */
  readonly couriers: Readonly<Partial<Record<ChannelName, number>>>
  /** of the couriers, over "no limits" */
  readonly env?: Readonly<Record<string, string>>
  /** of the sandbox, over "no limits" */
  readonly limits?: LimitChanges
  /** channels whose couriers reach their provider over a line */
  readonly lines?: Readonly<Partial<Record<'vk' | 'sms', Omit<LineOptions, 'host' | 'port'>>>>
}

export interface Fleet {
  readonly api: Api
  readonly provider: Provider
  readonly processes: Processes
  line(channel: 'vk' | 'sms'): Line
  stop(): Promise<void>
}

/** Resolves when all are ready. */
export async function startFleet({
  server,
  couriers,
  env = {},
  limits = {},
  lines = {},
}: FleetOptions): Promise<Fleet> {
  const dir = mkdtempSync(join(server.dir, 'fleet-'))
  mkdirSync(join(dir, 'sessions'))
  const [apiPort, sandboxPort] = await Promise.all([freePort(), freePort()])
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const processes = createProcesses()
  const opened = new Map<string, Line>()
  const redisEnv = { REDIS_URL: server.url }

  async function stop(): Promise<void> {
    try {
      await processes.stop(processes.names().filter((name) => name !== 'sandbox'))
    } finally {
      await Promise.all([...opened.values()].map((line) => line.close()))
      await processes.stop(processes.names())
    }
  }

  async function startSandbox(): Promise<Endpoints> {
    processes.start({
      name: 'sandbox',
      folder: 'sandbox',
      niceness: courierNiceness,
      env: { SANDBOX_PORT: String(sandboxPort) },
    })
    const endpoints = await endpointsOf(sandboxUrl, () => processes.pidOf('sandbox') !== undefined)
    if (!endpoints) throw new Error(`the sandbox did not start: ${processes.output('sandbox')}`)
    return endpoints
  }

  /** The endpoints as the couriers see them: over the lines. */
  async function overLines(endpoints: Endpoints): Promise<Endpoints> {
    const overLine = async <T extends Endpoint>(channel: 'vk' | 'sms', endpoint: T): Promise<T> => {
      if (!lines[channel]) return endpoint
      const line = await openLine({ host: endpoint.host, port: endpoint.port, ...lines[channel] })
      opened.set(channel, line)
      return { ...endpoint, port: line.port }
    }
    return { ...endpoints, vk: await overLine('vk', endpoints.vk), sms: await overLine('sms', endpoints.sms) }
  }

  function startCouriers(endpoints: Endpoints): string[] {
    return Object.entries(couriers).flatMap(([channel, count]) =>
      Array.from({ length: count }, (_unused, index) => {
        const name = `courier-${channel}-${index + 1}`
        const settings = courierSettings({ channel, name, env: {}, endpoints, dataDir: dir })
        const all = { ...redisEnv, ...unlimited, ...settings, ...env }
        processes.start({ name, folder: 'couriers', args: [channel], niceness: courierNiceness, env: all })
        return name
      }),
    )
  }

  async function ready(names: string[]): Promise<void> {
    const { pidOf } = processes
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), startMs)
    const died = setInterval(() => names.some((name) => !pidOf(name)) && giveUp.abort(), 50)
    const { redis } = server
    await untilReady({ redis, apiUrl, names, pidOf, keyOf: keys.process, say() {}, signal: giveUp.signal })
    clearTimeout(timer)
    clearInterval(died)
    if (!giveUp.signal.aborted) return
    throw new Error(names.map((name) => `not ready: ${name} ${processes.output(name)}`).join('\n'))
  }

  try {
    processes.start({ name: 'queue', folder: 'queue', env: { ...redisEnv, PORT: String(apiPort) } })
    processes.start({ name: 'timekeeper', folder: 'timekeeper', env: redisEnv })
    const names = startCouriers(await overLines(await startSandbox()))
    const provider = connectProvider(sandboxUrl)
    await provider.limits({ ...noLimits(), ...limits })
    await ready(['queue', 'timekeeper', ...names])
    const apiKeys = createApiKeys({ redis: server.redis, clock: systemClock })
    const { apiKey } = await apiKeys.create({ owner: 'bench', role: 'admin', label: 'bench' })
    return {
      api: connectApi(apiUrl, apiKey),
      provider,
      processes,
      line(channel) {
        const line = opened.get(channel)
        if (!line) throw new Error(`no line was asked for ${channel}`)
        return line
      },
      stop,
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}
