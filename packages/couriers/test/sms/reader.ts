/** A client that reads what people write. */
import { once } from 'node:events'
import { smpp } from '@courier-fleet/smpp'

export async function boundReader(endpoint: { host: string; port: number; systemId: string; password: string }) {
  const { host, port, systemId, password } = endpoint
  const texts: string[] = []
  const session = smpp.connect({ host, port, tls: false })
  session.on('error', () => session.destroy())
  session.on('pdu', (pdu) => {
    if (pdu.command !== 'deliver_sm') return
    texts.push(String(pdu.short_message?.message))
    session.send(pdu.response())
  })
  session.send(new smpp.PDU('bind_receiver', { system_id: systemId, password }))
  await once(session, 'pdu')
  return { texts, stop: () => session.destroy() }
}
