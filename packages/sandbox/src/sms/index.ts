/**
 * A stand-in of an SMS centre. It speaks SMPP 3.4 on one port (any number of binds; receipts, incoming messages, throttling,
 * windows) and takes `sendsms` calls in Kannel's form on another. Both doors share the numbers, limits and faults of the World.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Log } from '@courier-fleet/process'
import { type Session, smpp } from '@courier-fleet/smpp-link/smpp'
import type { IncomingMessage, SmsEndpoint, StandIn } from '../stand-in.ts'
import type { World } from '../world.ts'
import { serveBind } from './bind.ts'
import { createCentre } from './centre.ts'
import { createDlrCalls } from './dlr-calls.ts'
import { incomingFields, shortCode } from './incoming.ts'
import { createOutbox } from './outbox.ts'
import { createSendsmsServer, sendsmsPath } from './sendsms.ts'

export interface SmscOptions {
  readonly world: World
  /** SMPP; any free one when absent */
  readonly port?: number
  /** sendsms; any free one when absent */
  readonly httpPort?: number
  readonly host?: string
  readonly systemId?: string
  readonly password?: string
  /** after this a receipt or incoming message that was not taken is offered again */
  readonly retryMs?: number
  /** a message is kept so long for a phone that is off; a day when absent */
  readonly patienceMs?: number
  readonly log: Log
}

const dayMs = 86_400_000

export async function startSmsc(options: SmscOptions): Promise<StandIn<SmsEndpoint>> {
  const { world, host = '127.0.0.1', systemId = 'fleet', password = 'sandbox', retryMs = 1000, log } = options
  const centre = createCentre({ world, patienceMs: options.patienceMs ?? dayMs })
  const outbox = createOutbox({ retryMs })
  const dlrCalls = createDlrCalls({ retryMs, log })
  const sessions = new Set<Session>()

  const smppServer = smpp.createServer((session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    serveBind({ session, centre, outbox, world, systemId, password, log })
  })
  const httpServer = createSendsmsServer({ centre, dlrCalls, username: systemId, password })

  const onSay = ({ channel, address, text }: IncomingMessage) => {
    if (channel === 'sms') for (const fields of incomingFields(address, text)) outbox.push(fields)
  }

  smppServer.listen(options.port ?? 0, host)
  httpServer.listen(options.httpPort ?? 0, host)
  try {
    await Promise.all([once(smppServer, 'listening'), once(httpServer, 'listening')])
  } catch (error) {
    smppServer.close()
    httpServer.close()
    throw error
  }
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
