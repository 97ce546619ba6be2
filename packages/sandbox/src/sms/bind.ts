/** One client's connection to the centre: bind, submit, receive, unbind. */
import type { Log } from '@courier-fleet/process'
import { type Pdu, type PduFields, type Session, smpp } from '@courier-fleet/smpp/protocol'
import type { World } from '../world.ts'
import { toE164 } from './address.ts'
import type { Centre, Submission } from './centre.ts'
import type { Outbox, Receiver } from './outbox.ts'
import { type Part, partOf } from './reassembly.ts'
import { receiptFields } from './receipt-text.ts'
import { status } from './status.ts'

export interface BindDeps {
  readonly session: Session
  readonly centre: Centre
  readonly outbox: Outbox
  readonly world: World
  readonly systemId: string
  readonly password: string
  readonly log: Log
}

/** A delivery that is not answered within this is offered again. */
const deliveryTimeoutMs = 30_000

export function serveBind({ session, centre, outbox, world, systemId, password, log }: BindDeps): void {
  let addressRange = ''
  let mode: 'bind_transmitter' | 'bind_receiver' | 'bind_transceiver' | undefined
  const answers: Pdu[] = []
  const undelivered = new Set<() => void>()

  /** Answers leave together, so that what came in at once counts as unanswered at once. */
  const answer = (pdu: Pdu) => {
    answers.push(pdu)
    if (answers.length > 1) return
    setImmediate(() => {
      for (const each of answers) session.send(each)
      answers.length = 0
    })
  }

  const receiver: Receiver = {
    addressRange: () => addressRange,
    deliver(fields, onAnswer) {
      const settle = (code: number | undefined) => {
        clearTimeout(timer)
        if (undelivered.delete(lost)) onAnswer(code)
      }
      const lost = () => settle(undefined)
      const timer = setTimeout(lost, deliveryTimeoutMs)
      undelivered.add(lost)
      if (session.send(new smpp.PDU('deliver_sm', fields), (pdu) => settle(pdu.command_status))) return
      outbox.detach(receiver)
      lost()
    },
  }

  const bind = (pdu: Pdu) => {
    const refusal =
      mode !== undefined
        ? status.alreadyBound
        : pdu.system_id !== systemId
          ? status.invalidSystemId
          : pdu.password !== password
            ? status.invalidPassword
            : undefined
    if (refusal !== undefined) return answer(pdu.response({ command_status: refusal }))
    mode = pdu.command as NonNullable<typeof mode>
    addressRange = pdu.address_range ?? ''
    session.send(pdu.response({ system_id: 'sandbox' }))
    if (mode !== 'bind_transmitter') outbox.attach(receiver)
  }

  const submit = (pdu: Pdu) => {
    const refuse = (code: number) => answer(pdu.response({ command_status: code }))
    if (mode === undefined || mode === 'bind_receiver') return refuse(status.wrongBindState)
    const { window } = world.limits.sms
    if (window !== null && answers.length >= window) return refuse(status.throttled)
    const verdict = centre.submit(submissionOf(pdu, (fields) => outbox.push(fields, receiver)))
    switch (verdict.kind) {
      case 'refused':
        return refuse(verdict.status)
      case 'hang':
        return
      case 'disconnect':
        return session.destroy()
      case 'accepted':
        if (verdict.replyLost) session.destroy()
        else answer(pdu.response({ message_id: verdict.id }))
        setImmediate(verdict.answered)
    }
  }

  const onRequest: Record<string, (pdu: Pdu) => void> = {
    bind_transmitter: bind,
    bind_receiver: bind,
    bind_transceiver: bind,
    submit_sm: submit,
    enquire_link: (pdu) => answer(pdu.response()),
    unbind: (pdu) => {
      outbox.detach(receiver)
      mode = undefined
      session.send(pdu.response())
      session.close()
    },
  }

  session.socket.setNoDelay(true)
  session.on('pdu', (pdu) => {
    if (pdu.isResponse()) return
    const serve = onRequest[pdu.command]
    if (serve) serve(pdu)
    else answer(pdu.response({ command_status: status.invalidCommand }))
  })
  session.on('error', (error) => {
    log.debug({ err: error }, 'a client broke its connection')
    session.destroy()
  })
  session.on('close', () => {
    outbox.detach(receiver)
    for (const lost of undelivered) lost()
  })
}

function submissionOf(pdu: Pdu, send: (fields: PduFields) => void): Submission {
  const address = toE164(pdu.destination_addr ?? '')
  const source = pdu.source_addr ?? ''
  const { message, udh } = pdu.message_payload ?? pdu.short_message ?? { message: '' }
  const wanted = (['none', 'all', 'failures', 'successes'] as const)[(pdu.registered_delivery ?? 0) & 3]
  return {
    address,
    text: typeof message === 'string' ? message : message.toString('latin1'),
    part: partOf(udh ?? pdu.short_message?.udh ?? [], `${source} ${address}`) ?? sarPart(pdu, `${source} ${address}`),
    ...(wanted === 'none' || wanted === undefined
      ? {}
      : { receipts: { wanted, send: (receipt) => send(receiptFields(receipt, source)) } }),
  }
}

/** Concatenation told in optional parameters instead of a user data header. */
function sarPart(pdu: Pdu, between: string): Part | undefined {
  const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number } = pdu
  if (reference === undefined || !total || !number || number > total) return undefined
  return { message: `${between} sar ${reference}`, number, total }
}
