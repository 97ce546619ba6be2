/** Whatever is said to the sockets of the sandbox, it goes on: an exception that nobody catches fails the test. */
import { silentLog } from '@courier-fleet/process'
import { openSession } from '@courier-fleet/smpp'
import { throwAt, throwMany } from '@courier-fleet/testkit'
import { expect } from 'chai'
import nodemailer from 'nodemailer'
import { type Sandbox, startSandbox } from '../src/index.ts'
import { connectRawClient } from './telegram/raw-client.ts'

const count = 200
const never = new AbortController().signal
const octets = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const http = (line: string, body = '') =>
  Buffer.from(
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )

describe('the sandbox: bytes that nobody expects', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await startSandbox({ log: silentLog })
  })
  after(() => sandbox.stop())
  const portOf = (url: string) => ({ port: Number(new URL(url).port) })

  describe('SMPP', () => {
    const pduOf = (command: number, body: string) => {
      const header = Buffer.alloc(16)
      for (const [index, value] of [16 + body.length, command, 0, 1].entries()) header.writeUInt32BE(value, 4 * index)
      return Buffer.concat([header, Buffer.from(body, 'latin1')])
    }
    const bind = pduOf(9, 'fleet\0sandbox\0\0\x34\0\0\0')
    const alertNotification = pduOf(0x102, '\x01\x0179160000000\0\x01\x003377\0')
    const submit = pduOf(4, '\0\0\x003377\0\x01\x0179160000000\0\x40\0\0\0\0\x01\0\0\0\x03abc')
    const samples = [
      alertNotification,
      pduOf(0x0b, 'sms\0abc\0'),
      bind,
      pduOf(0x15, ''),
      Buffer.concat([bind, submit]),
      Buffer.concat([bind, alertNotification]),
    ]
    async function binds(password = 'sandbox') {
      const { host, port, systemId } = sandbox.endpoints.sms
      const session = openSession({ connect: { host, port, tls: false }, onDeliver: async () => 0, answerMs: 30_000 })
      const answer = await session.request('bind_transceiver', { system_id: systemId, password }, never)
      session.end('done')
      return answer.kind === 'response' && answer.pdu.command_status
    }

    it('serves on after a request that has no response, and after any bytes', async () => {
      for (const sample of samples) await throwAt(sandbox.endpoints.sms, sample)
      await throwMany(sandbox.endpoints.sms, samples, count)
      expect(await binds()).to.equal(0)
    })

    it('takes no empty password', async () => {
      expect(await binds('')).to.equal(0x0e)
    })
  })

  for (const [name, url, samples] of [
    [
      'sendsms',
      () => sandbox.endpoints.sms.sendsmsUrl,
      [
        http('GET //'),
        http('GET /cgi-bin/sendsms?username=fleet'),
        http('POST /cgi-bin/sendsms', 'username=fleet&to=1'),
      ],
    ],
    [
      'VK',
      () => `http://127.0.0.1:${sandbox.endpoints.vk.port}`,
      [http('GET //'), http('POST /method/execute?v=5.199', 'code=return [1];'), http('GET /longpoll?act=a_check')],
    ],
    [
      'the control API',
      () => sandbox.url,
      [http('GET //'), http('PUT /phones', '[{"channel":"sms"}]'), http('POST /faults', '{}'), http('GET /accepted')],
    ],
  ] as const)
    it(`${name} serves on after GET //, half a request and any other bytes`, async () => {
      const to = portOf(url())
      for (const sample of samples) await throwAt(to, sample)
      await throwAt(to, (samples.at(-1) as Buffer).subarray(0, -5))
      await throwAt(to, (samples[1] as Buffer).subarray(0, -3))
      await throwMany(to, samples, count)
      expect((await fetch(url())).status).to.be.below(500)
    })

  it('the mail server serves on after any bytes', async () => {
    const { host, port, user, password } = sandbox.endpoints.mail
    const login = Buffer.from(`\0${user}\0${password}`).toString('base64')
    const mail = `EHLO a\r\nAUTH PLAIN ${login}\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nSubject: =\r\n\r\n=\r\n.\r\n`
    await throwMany({ port }, [Buffer.from(mail), Buffer.from('AUTH LOGIN\r\n=\r\n'), Buffer.from('RSET\r\n')], count)
    const transport = nodemailer.createTransport({ host, port, auth: { user, pass: password } })
    const sent = await transport.sendMail({ from: 'a@b.example', to: 'c@d.example', text: 'still here' })
    expect(sent.accepted).to.deep.equal(['c@d.example'])
    expect(sandbox.world.accepted.map(({ text }) => text)).to.include('still here')
  })

  it('Telegram serves on after any bytes', async () => {
    const reqPq = octets(`${'00'.repeat(8)} 0101010101010101 14000000 f18e7ebe ${'07'.repeat(16)}`)
    const samples = [
      Buffer.concat([Buffer.from([0xef, reqPq.length / 4]), reqPq]),
      Buffer.concat([Buffer.alloc(4, 0xee), octets('28000000'), reqPq]),
      Buffer.concat([Buffer.alloc(4, 0xdd), octets('28000000'), reqPq]),
      Buffer.alloc(120, 0x5a),
    ]
    await throwMany(sandbox.endpoints.telegram, samples, count)
    const client = await connectRawClient(sandbox.endpoints.telegram)
    expect((await client.send('501', 1)).id).to.be.above(0)
    await client.close()
  })
})
