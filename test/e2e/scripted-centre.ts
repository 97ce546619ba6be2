/** An SMS centre that does as a test says: brings single parts, and again what was not answered. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Pdu, type PduFields, type Session, smpp } from '@courier-fleet/smpp'

export interface ScriptedCentre {
  readonly url: string
  /** what was submitted, by address */
  readonly submitted: { readonly to: string; readonly text: string }[]
  /** Brings a deliver_sm once; undefined when the connection ends without an answer. Waits for a bind. */
  bring(fields: PduFields): Promise<number | undefined>
  /** Brings it again and again, on whatever bind there is, until it is taken. */
  deliverUntilTaken(fields: PduFields): Promise<void>
  stop(): Promise<void>
}

export async function startScriptedCentre(): Promise<ScriptedCentre> {
  let bound: Session | undefined
  let onBound: (() => void)[] = []
  const submitted: { to: string; text: string }[] = []
  const sessions = new Set<Session>()

  const server = smpp.createServer((session) => {
    sessions.add(session)
    session.on('error', () => session.destroy())
    session.on('close', () => {
      sessions.delete(session)
      if (bound === session) bound = undefined
    })
    session.on('pdu', (pdu) => {
      if (pdu.isResponse()) return
      session.send(pdu.response(pdu.command === 'submit_sm' ? { message_id: String(submitted.length) } : {}))
      if (pdu.command === 'submit_sm') submitted.push(textOf(pdu))
      if (!pdu.command.startsWith('bind_')) return
      bound = session
      for (const go of onBound.splice(0)) go()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function bring(fields: PduFields): Promise<number | undefined> {
    if (!bound) await new Promise<void>((resolve) => onBound.push(resolve))
    const session = bound as Session
    return new Promise((resolve) => {
      const gone = () => resolve(undefined)
      session.once('close', gone)
      session.send(new smpp.PDU('deliver_sm', fields), (pdu) => {
        session.removeListener('close', gone)
        resolve(pdu.command_status)
      })
    })
  }

  return {
    url: `smpp://fleet:x@127.0.0.1:${(server.address() as AddressInfo).port}`,
    submitted,
    bring,
    async deliverUntilTaken(fields) {
      while ((await bring(fields)) !== 0);
    },
    async stop() {
      onBound = []
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function textOf(pdu: Pdu): { to: string; text: string } {
  return { to: `+${pdu.destination_addr}`, text: String(pdu.short_message?.message) }
}

/** A whole text as a phone in Russia sends it; or octets of a part, with their header. */
export function textFrom(phone: string, text: string | Buffer): PduFields {
  return {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: phone.slice(1),
    destination_addr: '3377',
    data_coding: 8,
    esm_class: typeof text === 'string' ? 0 : 0x40,
    short_message: typeof text === 'string' ? smpp.encodings.UCS2.encode(text) : text,
  }
}
