/** A fleet of ours as `npm start` runs one, on the bench's Redis: the built programs, the sandbox in place of the providers. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName, Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import { type Courier, launchFleet, type Processes, type Sandbox, troubleOf } from '@courier-fleet/launch'
import { systemClock } from '@courier-fleet/process'
import type { LimitChanges } from '@courier-fleet/sandbox'
import type { DurabilityLevel, Redis } from '@courier-fleet/store'
import { type Api, connectApi } from './api.ts'
import { type Line, type LineOptions, openLine } from './line.ts'
import { createProbedProcesses, type Probes, probeArguments } from './processes.ts'

type Environment = Readonly<Record<string, string>>

export interface FleetOptions {
  /** what it lives on */
  readonly server: { readonly dir: string; readonly url: string; readonly redis: Redis }
  /** processes of each channel */
  readonly couriers: Readonly<Partial<Record<ChannelName, number>>>
  /** processes that tell subscribers; none when absent */
  readonly notifiers?: number
  /** of the couriers, over "no limits" */
  readonly env?: Environment
  /** REDIS_DURABILITY of all; absent: by what Redis is */
  readonly durability?: DurabilityLevel
  /** of the sandbox, over "no limits" */
  readonly limits?: LimitChanges
  /** channels whose couriers reach their provider over a line */
  readonly lines?: Readonly<Partial<Record<'vk' | 'sms', Omit<LineOptions, 'host' | 'port'>>>>
}

export interface Fleet {
  readonly api: Api
  readonly sandbox: Sandbox
  readonly probes: Probes
  /** of the processes that run, by name */
  pids(): ReadonlyMap<string, number>
  line(channel: 'vk' | 'sms'): Line
  /** With these settings over those of before; resolves when it is ready. */
  restart(name: string, env: Environment): Promise<void>
  stop(): Promise<void>
}

/** Resolves when all are ready. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { server, couriers, notifiers, env = {}, durability, limits, lines = {} } = options
  const { processes, probes } = createProbedProcesses()
  const changed = new Map<string, Environment>()
  const lineTo = createLines(lines)

  async function stop(): Promise<void> {
    const troubles = await stopAll(processes)
    await lineTo.close()
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  }

  try {
    const { apiUrl, sandbox, start } = await launchFleet({
      processes,
      redis: { url: server.url, connection: server.redis },
      dir: mkdtempSync(join(server.dir, 'fleet-')),
      couriers,
      ...(notifiers === undefined ? {} : { notifiers }),
      ...(limits ? { limits } : {}),
      withPriorities: true,
      nodeArguments: probeArguments,
      endpointsOf: lineTo.endpointsOf,
      env: ({ name, folder }) => ({
        ...(durability ? { REDIS_DURABILITY: durability } : {}),
        ...(folder === 'couriers' ? env : {}),
        ...changed.get(name),
      }),
    })
    const apiKeys = createApiKeys({ redis: server.redis, clock: systemClock })
    const { apiKey } = await apiKeys.create({ owner: 'bench', role: 'admin', label: 'bench' })
    async function restart(name: string, changes: Environment): Promise<void> {
      await processes.member(name).stop()
      changed.set(name, changes)
      await start(name)
    }
    const pids = () => new Map(processes.names.flatMap((name) => pidOf(processes, name)))
    return { api: connectApi(apiUrl, apiKey), sandbox, probes, pids, line: lineTo.line, restart, stop }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

function pidOf({ member }: Processes, name: string): [string, number][] {
  const { pid } = member(name)
  return pid === undefined ? [] : [[name, pid]]
}

/** The sandbox after all others. @returns what was wrong with their ends */
async function stopAll({ names, member, end }: Processes): Promise<string[]> {
  const stop = async (name: string) => {
    const { pid, output } = member(name)
    if (pid === undefined) return `${name} had ended before: ${output}`
    const ended = await member(name).stop()
    return ended && troubleOf(ended)
  }
  const troubles = await Promise.all(names.filter((name) => name !== 'sandbox').map(stop))
  if (names.includes('sandbox')) troubles.push(await stop('sandbox'))
  end()
  return troubles.filter((trouble) => trouble !== undefined)
}

/** One line a channel that has one, opened when the first courier needs it. */
function createLines(options: NonNullable<FleetOptions['lines']>) {
  const opening = new Map<string, Promise<Line>>()
  const opened = new Map<string, Line>()

  return {
    /** The endpoints as the couriers see them. */
    async endpointsOf({ channel }: Courier, endpoints: Endpoints): Promise<Endpoints> {
      if (channel !== 'vk' && channel !== 'sms') return endpoints
      if (!options[channel]) return endpoints
      const { host, port } = endpoints[channel]
      const line = opening.get(channel) ?? openLine({ host, port, ...options[channel] })
      opening.set(channel, line)
      opened.set(channel, await line)
      return { ...endpoints, [channel]: { ...endpoints[channel], port: (await line).port } }
    },
    line(channel: 'vk' | 'sms'): Line {
      const line = opened.get(channel)
      if (!line) throw new Error(`no line was asked for ${channel}`)
      return line
    },
    close: () => Promise.all([...opened.values()].map((line) => line.close())),
  }
}
