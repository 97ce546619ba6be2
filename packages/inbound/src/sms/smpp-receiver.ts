/** Texts by SMPP, on a bind of its own. The centre is told that a text was taken when it is safe, not before. */
import type { Log } from '@courier-fleet/process'
import { createSmppConnection, isDeliveryReport, type Pdu, type SmppUrl, usualSmppTiming } from '@courier-fleet/smpp'
import type { Receiver } from '../receiver.ts'
import { createSerializer } from '../serializer.ts'
import type { HandleText } from '../text-handler.ts'
import type { Parts } from './parts.ts'
import { readSms, type SmsText } from './read-sms.ts'
import { createReplySender } from './reply-sender.ts'

export interface SmppReceiverDeps {
  readonly url: SmppUrl
  /** the number people write to */
  readonly number: string | undefined
  readonly handleText: HandleText
  /** the centre knows that the text of this name was taken */
  readonly finish: (name: string) => Promise<void>
  readonly parts: Parts
  readonly log: Log
}

const ok = 0x00
/** ESME_RX_T_APPN: the SMS centre keeps it and offers it again */
const later = 0x64
const window = 10

export function createSmppReceiver({ url, number, handleText, finish, parts, log }: SmppReceiverDeps): Receiver {
  const serialize = createSerializer()
  const { host, port, tls, systemId, password } = url

  const onDeliver = async (pdu: Pdu): Promise<number> => {
    // of a message that a courier sent: offered again, it finds the courier's bind
    if (isDeliveryReport(pdu)) return later
    try {
      const text = readSms(pdu)
      await serialize(text.from ?? '', () => take(text))
      return ok
    } catch (error) {
      log.warn({ err: error }, 'a text could not be taken; the SMS centre will bring it again')
      return later
    }
  }

  async function take({ from, to, text, part }: SmsText): Promise<void> {
    if (from === undefined || text === undefined) return log.info('ignored: no text, or nobody to answer')
    const whole = part ? await parts.add(from, to, part, text) : { text, finish: async () => {} }
    if (!whole) return
    const { name, reply } = await handleText({ from, to, text: whole.text })
    if (reply !== undefined) replySender.send(to, from, reply)
    await whole.finish()
    // the answer to this deliver_sm leaves before the note that it was taken is gone
    setImmediate(() => finish(name).catch((error: unknown) => log.warn({ err: error }, 'a note could not be removed')))
  }

  const connection = createSmppConnection({
    connect: { host, port, tls },
    systemId,
    password,
    addressRange: number,
    window,
    timing: usualSmppTiming,
    onDeliver,
    log,
  })
  const replySender = createReplySender({ connection, log })

  return {
    start: (signal) => connection.start(signal),
    async stop() {
      await replySender.drain()
      await connection.stop()
    },
  }
}
