/**
 * A stand-in of an SMS centre, and of a second one beside it. Each speaks SMPP 3.4 on one port (any number of binds; reports, incoming
 * messages, throttling, windows) and takes `sendsms` calls in Kannel's form on another. All interfaces share the numbers, limits and
 * faults of the World; a fault may be of one centre. What people write goes to the first.
 */
import type { EndpointOf } from '@courier-fleet/channels'
import { createChatLog } from '../chat-log.ts'
import type { IncomingMessage } from '../stand-in.ts'
import type { StandIn } from '../stand-in-module.ts'
import { incomingFields, shortCode } from './incoming.ts'
import { openListeners, type SmscOptions } from './listeners.ts'

export async function startStandIn(options: SmscOptions): Promise<StandIn<EndpointOf<'sms'>>> {
  const { world, host = '127.0.0.1', systemId = 'fleet', password = 'sandbox', ports = {} } = options
  const first = await openListeners('first', ports, options)
  const ofSecond = { smpp: ports.secondSmpp, sendsms: ports.secondSendsms }
  const second = await openListeners('second', ofSecond, options).catch(async (error) => {
    await first.stop()
    throw error
  })

  const onSay = ({ channel, address, text }: IncomingMessage) => {
    if (channel === 'sms') for (const fields of incomingFields(address, text)) first.outbox.push(fields)
  }
  world.chats.sms ??= createChatLog(world, 'sms')
  world.inboundAddresses.sms = shortCode
  world.on('say', onSay)

  return {
    endpoint: { host, systemId, password, number: shortCode, ...first.endpoint, second: second.endpoint },
    ports: { ...first.ports, secondSmpp: second.ports.smpp, secondSendsms: second.ports.sendsms },
    async stop() {
      world.off('say', onSay)
      await Promise.all([first.stop(), second.stop()])
    },
  }
}
