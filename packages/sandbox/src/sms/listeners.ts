/** The doors of one SMS centre: SMPP on one port, `sendsms` on another. Both are shut while it is down, and open again where they were. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointOf } from '@courier-fleet/channels'
import { type Session, smpp } from '@courier-fleet/smpp/protocol'
import type { CentreName, Fault } from '../faults.ts'
import type { StandInDeps } from '../stand-in-module.ts'
import { serveBind } from './bind.ts'
import { type Centre, createCentre } from './centre.ts'
import { createDlrCalls } from './dlr-calls.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createSendsmsServer, sendsmsPath } from './sendsms.ts'

export interface SmsListeners {
  readonly outbox: Outbox
  readonly ports: { readonly smpp: number; readonly sendsms: number }
  readonly endpoint: Pick<EndpointOf<'sms'>, 'port' | 'sendsmsUrl'>
  stop(): Promise<void>
}

/** `ports`: smpp and sendsms, and those of the second centre */
export interface SmscOptions extends StandInDeps {
  readonly systemId?: string
  readonly password?: string
  /** after this a report or incoming message that was not taken is offered again */
  readonly retryMs?: number
  /** a message is kept so long for a phone that is off; a day when absent */
  readonly maxHoldMs?: number
  /** of both centres, which give the same ids then; made up when absent */
  readonly firstId?: number
}

const dayMs = 86_400_000

/** @param ports any free ones where there is none */
export async function openListeners(
  name: CentreName,
  ports: { readonly smpp?: number | undefined; readonly sendsms?: number | undefined },
  options: SmscOptions,
): Promise<SmsListeners> {
  const { world, host = '127.0.0.1', systemId = 'fleet', password = 'sandbox', retryMs = 1000, log } = options
  const centre: Centre = createCentre({ world, name, maxHoldMs: options.maxHoldMs ?? dayMs, firstId: options.firstId })
  const outbox = createOutbox({ retryMs })
  const dlrCalls = createDlrCalls({ retryMs, log })
  const sessions = new Set<Session>()
  const smppServer = smpp.createServer((session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    serveBind({ session, centre, outbox, world, systemId, password, log })
  })
  const httpServer = createSendsmsServer({ centre, dlrCalls, username: systemId, password, names: options.names })
  const servers = [smppServer, httpServer]
  const listening = { smpp: ports.smpp ?? 0, sendsms: ports.sendsms ?? 0 }

  async function open(): Promise<void> {
    smppServer.listen(listening.smpp, host)
    httpServer.listen(listening.sendsms, host)
    try {
      await Promise.all(servers.map((server) => once(server, 'listening')))
    } catch (error) {
      for (const server of servers) server.close()
      throw error
    }
    listening.smpp = portOf(smppServer)
    listening.sendsms = portOf(httpServer)
  }

  async function shut(): Promise<void> {
    const open = servers.filter((server) => server.listening)
    const closed = open.map((server) => once(server, 'close'))
    for (const server of open) server.close()
    httpServer.closeAllConnections()
    for (const session of sessions) session.destroy()
    await Promise.all(closed)
  }

  let isStopped = false
  let moving = Promise.resolve()
  const onFaults = () => {
    moving = moving.then(async () => {
      const isDown = world.faults().some((fault) => fault.kind === 'down' && isOf(fault, name))
      if (isStopped || isDown !== smppServer.listening) return
      await (isDown ? shut() : open()).catch((error) => log.error({ err: error }, 'the SMS centre cannot come back'))
    })
  }
  await open()
  world.on('faults', onFaults)

  return {
    outbox,
    ports: { ...listening },
    endpoint: { port: listening.smpp, sendsmsUrl: `http://${host}:${listening.sendsms}${sendsmsPath}` },
    async stop() {
      isStopped = true
      world.off('faults', onFaults)
      await moving
      centre.stop()
      outbox.stop()
      dlrCalls.stop()
      await shut()
    },
  }
}

const isOf = ({ channel, centre }: Fault, name: CentreName) =>
  channel === 'sms' && (centre === undefined || centre === name)

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port
