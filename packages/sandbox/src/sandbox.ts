/** The whole sandbox in one process: one World, a stand-in for each channel, and the control API beside them. */
import type { AddressInfo } from 'node:net'
import { channelNames, type Endpoints } from '@courier-fleet/channels'
import type { Log } from '@courier-fleet/process'
import { createControl } from './control/index.ts'
import type { FleetLink } from './fleet-link.ts'
import { rememberedPorts } from './remembered-ports.ts'
import type { StandInModule } from './stand-in-module.ts'
import { World } from './world.ts'

export interface SandboxOptions {
  /** of the control API; any free one when absent */
  readonly port?: number
  readonly host?: string
  /** see StandInDeps */
  readonly names?: readonly string[]
  /** keeps ports, keys and sessions over restarts, so that clients find everything where it was; absent: all anew */
  readonly dataDir?: string
  /** that may be troubled from the phones page; none when absent */
  readonly fleet?: FleetLink
  readonly log: Log
}

export interface Sandbox {
  readonly world: World
  readonly endpoints: Endpoints
  /** of the control API and the phones page */
  readonly url: string
  stop(): Promise<void>
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', names = [], dataDir, fleet, log } = options
  const world = new World()
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop()
  }
  try {
    const keptPorts = rememberedPorts(dataDir)
    const deps = { world, host, names, log, ...(dataDir === undefined ? {} : { dataDir }) }
    const started: [string, unknown][] = []
    for (const channel of channelNames) {
      const { startStandIn } = (await import(`./${channel}/index.ts`)) as StandInModule
      const standIn = await keptPorts.listen(channel, (ports) => startStandIn({ ...deps, ports }))
      running.push(standIn)
      started.push([channel, standIn.endpoint])
    }
    keptPorts.save()
    const endpoints = Object.fromEntries(started) as Endpoints
    const control = createControl({ world, endpoints, names, log, ...(fleet ? { fleet } : {}) })
    await control.listen({ port, host })
    running.push({ stop: () => control.close() })
    return { world, endpoints, url: `http://${host}:${(control.server.address() as AddressInfo).port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
