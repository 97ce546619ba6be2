/** Sends the answers that the fleet may not send, one at a time, so that they never take the couriers' rate. */

import { smsPartsOf } from '@courier-fleet/api-types'
import { type Log, sleep, startDeadline } from '@courier-fleet/process'
import { type SmppConnection, smpp, statusName } from '@courier-fleet/smpp'
import { createSerializer } from '../serializer.ts'

export interface ReplySender {
  /** Sends one SMS, without a delivery report; what cannot be sent is logged and forgotten. */
  send(from: string, to: string, text: string): void
  /** Waits for what was begun. */
  drain(): Promise<void>
}

const answerMs = 10_000
const maxTries = 3
const retryMs = 1000
/** throttled, message queue full */
const slowDown: ReadonlySet<number> = new Set([0x58, 0x14])
const international = 1

export function createReplySender({
  connection,
  log,
}: {
  connection: Pick<SmppConnection, 'request'>
  log: Log
}): ReplySender {
  const serialize = createSerializer()
  const underWay = new Set<Promise<void>>()

  async function submit(from: string, to: string, text: string): Promise<void> {
    const isGsm = smsPartsOf(text).encoding === 'gsm'
    const fields = {
      source_addr: from.replace(/^\+/, ''),
      dest_addr_ton: international,
      dest_addr_npi: 1,
      destination_addr: to.replace(/^\+/, ''),
      data_coding: isGsm ? 0 : 8,
      short_message: (isGsm ? smpp.encodings.ASCII : smpp.encodings.UCS2).encode(text),
    }
    for (let tries = 1; tries <= maxTries; tries++) {
      const deadline = startDeadline(answerMs)
      const response = await connection.request('submit_sm', fields, deadline.signal)
      deadline.end()
      // unanswered it may have been sent: never twice
      if (response.kind === 'unanswered') return log.info({ why: response.why }, 'an answer may not have been sent')
      if (response.kind === 'response') {
        const { command_status: status } = response.pdu
        if (status === 0) return
        if (!slowDown.has(status))
          return log.info({ status: statusName(status) }, 'an answer was refused by the centre')
      }
      await sleep(retryMs)
    }
    log.info('an answer was given up: the centre takes none at the moment')
  }

  return {
    send(from, to, text) {
      const sending = serialize('', () => submit(from, to, text))
        .catch((error: unknown) => log.warn({ err: error }, 'an answer could not be sent'))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async drain() {
      await Promise.all(underWay)
    },
  }
}
