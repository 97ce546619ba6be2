/** One client's connection to the centre: bind, submit, receive, unbind. */
import { isSameSecret, type Log } from '@courier-fleet/process'
import { type Pdu, type PduFields, type Session, smpp, unservedResponse } from '@courier-fleet/smpp/protocol'
import type { World } from '../world.ts'
import type { Centre } from './centre.ts'
import type { Outbox, Receiver } from './outbox.ts'
import { status } from './status.ts'
import { submissionOf } from './submission.ts'

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

export function serveBind(deps: BindDeps): void {
  const { session, log } = deps
  const bind = new Bind(deps)
  session.socket.setNoDelay(true)
  session.on('pdu', (pdu) => {
    if (!pdu.isResponse()) bind.onRequest(pdu)
  })
  session.on('error', (error) => {
    log.debug({ err: error }, 'a client broke its connection')
    session.destroy()
  })
  session.on('close', () => bind.onClose())
}

type BindMode = 'bind_transmitter' | 'bind_receiver' | 'bind_transceiver'

class Bind implements Receiver {
  readonly #deps: BindDeps
  #addressRange = ''
  #mode: BindMode | undefined
  readonly #answers: Pdu[] = []
  /** called for each deliver_sm without an answer when the connection ends */
  readonly #undelivered = new Set<() => void>()
  readonly #handlers: Readonly<Record<string, (pdu: Pdu) => void>> = {
    bind_transmitter: (pdu) => this.#bind(pdu),
    bind_receiver: (pdu) => this.#bind(pdu),
    bind_transceiver: (pdu) => this.#bind(pdu),
    submit_sm: (pdu) => this.#submit(pdu),
    enquire_link: (pdu) => this.#answer(pdu.response()),
    unbind: (pdu) => this.#unbind(pdu),
  }

  constructor(deps: BindDeps) {
    this.#deps = deps
  }

  onRequest(pdu: Pdu): void {
    const handle = this.#handlers[pdu.command]
    const unserved = handle ? undefined : unservedResponse(pdu)
    if (unserved) this.#answer(unserved)
    else handle?.(pdu)
  }

  onClose(): void {
    this.#deps.outbox.detach(this)
    for (const lost of this.#undelivered) lost()
  }

  addressRange(): string {
    return this.#addressRange
  }

  deliver(fields: PduFields, onAnswer: (status: number | undefined) => void): void {
    const { session, outbox } = this.#deps
    const settle = (code: number | undefined) => {
      clearTimeout(timer)
      if (this.#undelivered.delete(lost)) onAnswer(code)
    }
    const lost = () => settle(undefined)
    const timer = setTimeout(lost, deliveryTimeoutMs)
    this.#undelivered.add(lost)
    if (session.send(new smpp.PDU('deliver_sm', fields), (pdu) => settle(pdu.command_status))) return
    outbox.detach(this)
    lost()
  }

  #bind(pdu: Pdu) {
    const refusal = this.#refusalOf(pdu)
    if (refusal !== undefined) return this.#answer(pdu.response({ command_status: refusal }))
    this.#mode = pdu.command as BindMode
    this.#addressRange = pdu.address_range ?? ''
    this.#deps.session.send(pdu.response({ system_id: 'sandbox' }))
    if (this.#mode !== 'bind_transmitter') this.#deps.outbox.attach(this)
  }

  #refusalOf({ system_id, password }: Pdu): number | undefined {
    if (this.#mode !== undefined) return status.alreadyBound
    if (system_id !== this.#deps.systemId) return status.invalidSystemId
    return isSameSecret(password, this.#deps.password) ? undefined : status.invalidPassword
  }

  #unbind(pdu: Pdu): void {
    const { session, outbox } = this.#deps
    outbox.detach(this)
    this.#mode = undefined
    session.send(pdu.response())
    session.close()
  }

  #submit(pdu: Pdu) {
    const { session, centre, outbox, world } = this.#deps
    const refuse = (code: number) => this.#answer(pdu.response({ command_status: code }))
    if (this.#mode === undefined || this.#mode === 'bind_receiver') return refuse(status.wrongBindState)
    const { window } = world.limits.sms
    if (window !== null && this.#answers.length >= window) return refuse(status.throttled)
    const verdict = centre.submit(submissionOf(pdu, (fields) => outbox.push(fields, this)))
    switch (verdict.kind) {
      case 'refused':
        return refuse(verdict.status)
      case 'hang':
        return
      case 'disconnect':
        return session.destroy()
      case 'accepted':
        if (verdict.replyLost) session.destroy()
        else this.#answer(pdu.response({ message_id: verdict.id }))
        setImmediate(verdict.answered)
    }
  }

  /** Answers leave together, so that what came in at once counts as unanswered at once. */
  #answer(pdu: Pdu): void {
    this.#answers.push(pdu)
    if (this.#answers.length > 1) return
    setImmediate(() => {
      for (const each of this.#answers) this.#deps.session.send(each)
      this.#answers.length = 0
    })
  }
}
