/**
 * Texts from a gateway of Kannel's shape: `GET /sms-inbound?secret=…&from=…&to=…&text=…&charset=…&coding=…&id=…`. The answer's
 * body is what the gateway says to the phone, and `X-Kannel-Coding` how (Kannel would take GSM 03.38 for everything); it is
 * empty when the fleet answers by itself or nothing is to be said.
 */
import { smsPartsOf } from '@courier-fleet/api-types'
import { createThrottledLog, isSameSecret, type Log, requestLimits } from '@courier-fleet/process'
import fastify from 'fastify'
import type { Receiver } from '../receiver.ts'
import { createSerializer } from '../serializer.ts'
import type { HandleText } from '../text-handler.ts'
import { octetsOf, type Query, textOf } from './http-text.ts'
import { senderNumber } from './sender-number.ts'

export interface HttpReceiverDeps {
  readonly host: string
  readonly port: number
  readonly secret: string
  readonly handleText: HandleText
  /** the gateway knows that the text of this name was taken */
  readonly finish: (name: string) => Promise<void>
  readonly log: Log
}

/** the longest SMS there can be, percent-encoded in UTF-16 */
const maxHeaderBytes = 256 * 1024

export function createHttpReceiver({ host, port, secret, handleText, finish, log }: HttpReceiverDeps): Receiver {
  const serialize = createSerializer()
  const warn = createThrottledLog((fields, text) => log.warn(fields, text))
  const app = fastify({
    http: { ...requestLimits, maxHeaderSize: maxHeaderBytes },
    requestTimeout: requestLimits.requestTimeout,
    forceCloseConnections: true,
    routerOptions: { querystringParser: (query) => octetsOf(query) as never },
  })

  app.get('/healthz', async () => ({ ok: true }))
  app.get('/sms-inbound', async (request, reply) => {
    const query = request.query as Query
    const field = (name: string) => query[name]?.toString('utf8').trim() ?? ''
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
    if (!isSameSecret(query.secret, secret)) return reply.code(403).send('wrong secret\n')
    const text = textOf(query.text ?? Buffer.alloc(0), field('charset'), field('coding'))
    // a + that nobody encoded has become a blank
    const from = senderNumber(field('from'))
    if (text === undefined) return reply.code(400).send('text: not in the charset that is named\n')
    if (from === undefined) return reply.code(400).send('from: no phone number\n')
    try {
      const id = field('id') || undefined
      const { name, reply: said } = await serialize(from, () => handleText({ from, to: field('to'), text, id }))
      reply.raw.once('finish', () => finish(name).catch((error: unknown) => warn({ err: error }, 'a note stays')))
      if (said !== undefined) reply.header('x-kannel-coding', smsPartsOf(said).encoding === 'gsm' ? '0' : '2')
      return reply.send(said ?? '')
    } catch (error) {
      warn({ err: error }, 'a text could not be taken; the gateway should bring it again')
      return reply.code(503).header('retry-after', '5').send('try again later\n')
    }
  })

  return {
    async start() {
      await app.listen({ host, port })
    },
    stop: () => app.close(),
  }
}
