/** An SMS centre that does exactly as a test says, wrong things included. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Pdu as ClientPdu, Session } from '@courier-fleet/smpp'
import { smpp } from '@courier-fleet/smpp/protocol'

export type Pdu = ClientPdu & {
  readonly data_coding: number
  readonly source_addr: string
  readonly source_addr_ton: number
  readonly destination_addr: string
  readonly registered_delivery: number
  readonly short_message: { readonly message: string | Buffer; readonly udh?: readonly Buffer[] }
}

export interface ScriptedSmsc {
  readonly url: string
  /** one per bound connection, the latest last */
  readonly sessions: Session[]
  /** every submit_sm so far */
  readonly submitted: Pdu[]
  /** what becomes of a request from now on */
  answer: Answer
  stop(): Promise<void>
}

type Answer = (pdu: Pdu, session: Session) => void

/** Binds everybody; other requests go to `answer`. */
export async function startScriptedSmsc(answer: Answer, port = 0): Promise<ScriptedSmsc> {
  const sessions: Session[] = []
  const submitted: Pdu[] = []
  const server = smpp.createServer((session) => {
    session.on('error', () => session.destroy())
    session.on('pdu', (pdu) => {
      if (pdu.isResponse()) return
      if (pdu.command === 'submit_sm') submitted.push(pdu as Pdu)
      if (pdu.command.startsWith('bind_')) {
        session.send(pdu.response())
        sessions.push(session)
      } else if (pdu.command === 'unbind') session.close()
      else centre.answer(pdu as Pdu, session)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const centre: ScriptedSmsc = {
    answer,
    url: `smpp://fleet:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    submitted,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) session.destroy()
      await closed
    },
  }
  return centre
}

let lastId = 0
export const accept: Answer = (pdu, session) => {
  lastId += 1
  session.send(pdu.response({ message_id: `id-${lastId}` }))
}
export const silence: Answer = () => {}
