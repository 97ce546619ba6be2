/** The whole sandbox in one process: one World, its three stand-ins, and the control API beside them. */
import type { AddressInfo } from 'node:net'
import type { Log } from '@courier-fleet/process'
import { createControl } from './control/index.ts'
import { rememberedPorts } from './remembered-ports.ts'
import { startSmsc } from './sms/index.ts'
import type { Endpoints } from './stand-in.ts'
import { startTelegramDc } from './telegram/index.ts'
import { startVkApi } from './vk/index.ts'
import { World } from './world.ts'

export interface SandboxOptions {
  /** of the control API; any free one when absent */
  readonly port?: number
  readonly host?: string
  /** keeps ports, keys and sessions over restarts, so that clients find everything where it was; absent: all anew */
  readonly dataDir?: string
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
  const { port = 0, host = '127.0.0.1', dataDir, log } = options
  const world = new World()
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop()
  }
  try {
    const ports = rememberedPorts(dataDir)
    const keep = { world, host, log, ...(dataDir === undefined ? {} : { dataDir }) }
    const telegram = await ports.listen(['telegram'], (port) => startTelegramDc({ ...keep, port }))
    running.push(telegram)
    const vk = await ports.listen(['vk'], (port) => startVkApi({ world, host, log, port }))
    running.push(vk)
    const sms = await ports.listen(['smpp', 'sendsms'], (port, httpPort) =>
      startSmsc({ world, host, log, port, httpPort }),
    )
    running.push(sms)
    const endpoints: Endpoints = { telegram: telegram.endpoint, vk: vk.endpoint, sms: sms.endpoint }
    ports.remember({
      telegram: telegram.endpoint.port,
      vk: Number(new URL(vk.endpoint.apiBaseUrl).port),
      smpp: sms.endpoint.port,
      sendsms: Number(new URL(sms.endpoint.sendsmsUrl).port),
    })

    const control = createControl({ world, endpoints, log })
    await control.listen({ port, host })
    running.push({ stop: () => control.close() })
    return { world, endpoints, url: `http://${host}:${(control.server.address() as AddressInfo).port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
