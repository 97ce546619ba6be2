/**
 * A stand-in of an SMS centre. It speaks SMPP 3.4 on one port (any number of binds; reports, incoming messages, throttling,
 * windows) and takes `sendsms` calls in Kannel's form on another. Both interfaces share the numbers, limits and faults of the World.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { EndpointOf } from '@courier-fleet/channels'
import { type Session, smpp } from '@courier-fleet/smpp/protocol'
import { createChatLog } from '../chat-log.ts'
import type { IncomingMessage } from '../stand-in.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import { serveBind } from './bind.ts'
import { createCentre } from './centre.ts'
import { createDlrCalls } from './dlr-calls.ts'
import { incomingFields, shortCode } from './incoming.ts'
import { createOutbox } from './outbox.ts'
import { createSendsmsServer, sendsmsPath } from './sendsms.ts'

/** `ports`: smpp and sendsms */
export interface SmscOptions extends StandInDeps {
  readonly systemId?: string
  readonly password?: string
  /** after this a report or incoming message that was not taken is offered again */
  readonly retryMs?: number
  /** a message is kept so long for a phone that is off; a day when absent */
  readonly maxHoldMs?: number
}

const dayMs = 86_400_000

export async function startStandIn(options: SmscOptions): Promise<StandIn<EndpointOf<'sms'>>> {
  const { world, host = '127.0.0.1', systemId = 'fleet', password = 'sandbox', retryMs = 1000, log } = options
  const centre = createCentre({ world, maxHoldMs: options.maxHoldMs ?? dayMs })
  const outbox = createOutbox({ retryMs })
  const dlrCalls = createDlrCalls({ retryMs, log })
  const sessions = new Set<Session>()

  const smppServer = smpp.createServer((session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    serveBind({ session, centre, outbox, world, systemId, password, log })
  })
  const httpServer = createSendsmsServer({ centre, dlrCalls, username: systemId, password, names: options.names })

  const onSay = ({ channel, address, text }: IncomingMessage) => {
    if (channel === 'sms') for (const fields of incomingFields(address, text)) outbox.push(fields)
  }

  smppServer.listen(options.ports?.smpp ?? 0, host)
  httpServer.listen(options.ports?.sendsms ?? 0, host)
  try {
    await Promise.all([once(smppServer, 'listening'), once(httpServer, 'listening')])
  } catch (error) {
    smppServer.close()
    httpServer.close()
    throw error
  }
  world.chats.sms ??= createChatLog(world, 'sms')
  world.inboundAddresses.sms = shortCode
  world.on('say', onSay)
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

  return {
    endpoint: {
      host,
      port: portOf(smppServer),
      systemId,
      password,
      number: shortCode,
      sendsmsUrl: `http://${host}:${portOf(httpServer)}${sendsmsPath}`,
    },
    ports: { smpp: portOf(smppServer), sendsms: portOf(httpServer) },
    async stop() {
      if (!smppServer.listening) return
      world.off('say', onSay)
      centre.stop()
      outbox.stop()
      dlrCalls.stop()
      const closed = Promise.all([once(smppServer, 'close'), once(httpServer, 'close')])
      smppServer.close()
      httpServer.close()
      httpServer.closeAllConnections()
      for (const session of sessions) session.destroy()
      await closed
    },
  }
}
