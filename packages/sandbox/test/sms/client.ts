/** A bare SMPP client: sends what it is told, remembers what it was sent. */
import { once } from 'node:events'
import { type Pdu, type PduFields, type Session, smpp } from '@courier-fleet/smpp/protocol'

export interface Client {
  readonly session: Session
  /** every deliver_sm so far, in order */
  readonly delivered: Pdu[]
  /** the status the next deliver_sm is answered with */
  answerWith: number
  request(command: string, fields?: PduFields): Promise<Pdu>
  submit(fields?: PduFields): Promise<Pdu>
  closed(): Promise<void>
}

/** Not bound yet. */
export async function connectClient(port: number): Promise<Client> {
  const session = smpp.connect({ host: '127.0.0.1', port, tls: false })
  const closing = new Promise<void>((resolve) => session.once('close', resolve))
  session.on('error', () => session.destroy())
  await once(session.socket, 'connect')
  const client: Client = {
    session,
    delivered: [],
    answerWith: 0,
    request: (command, fields = {}) =>
      new Promise((resolve) => session.send(new smpp.PDU(command, fields), resolve as (pdu: Pdu) => void)),
    submit: (fields) => client.request('submit_sm', { ...defaults, ...fields }),
    closed: () => closing,
  }
  session.on('pdu', (pdu) => {
    if (pdu.command !== 'deliver_sm') return
    client.delivered.push(pdu)
    session.send(pdu.response({ command_status: client.answerWith }))
  })
  return client
}

export const defaults: PduFields = {
  source_addr: 'Fleet',
  dest_addr_ton: 1,
  destination_addr: '79160000001',
  data_coding: 0,
  short_message: Buffer.from('Hello'),
}

export async function boundClient(
  endpoint: { port: number; systemId: string; password: string },
  mode = 'bind_transceiver',
  addressRange = '',
): Promise<Client> {
  const client = await connectClient(endpoint.port)
  const { command_status } = await client.request(mode, {
    system_id: endpoint.systemId,
    password: endpoint.password,
    address_range: addressRange,
  })
  if (command_status !== 0) throw new Error(`${mode} was refused: ${command_status}`)
  return client
}
