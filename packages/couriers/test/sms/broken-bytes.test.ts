/** Whatever is said to the sockets of the SMS courier, it goes on: an exception that nobody catches fails the test. */
import { brokenBytes, throwAt, throwMany, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier } from '../../src/courier.ts'
import { createFixture, type Fixture, item, never, phone } from './fixture.ts'
import { accept, type ScriptedSmsc, startScriptedSmsc } from './scripted-smsc.ts'

/** A PDU as SMPP 3.4 lays it out. */
function pduOf(command: number, sequence: number, ...body: (string | readonly number[])[]): Buffer {
  const octets = Buffer.concat(body.map((part) => Buffer.from(part as string, 'latin1')))
  const header = Buffer.alloc(16)
  for (const [index, value] of [16 + octets.length, command, 0, sequence].entries())
    header.writeUInt32BE(value, 4 * index)
  return Buffer.concat([header, octets])
}
const withoutResponse = {
  alert_notification: pduOf(0x102, 1, [1, 1], '79160000000\0', [1, 0], '3377\0'),
  outbind: pduOf(0x0b, 1, 'sms\0', 'abc\0'),
}
const enquireLink = pduOf(0x15, 7)
const report = 'id:1 stat:DELIVRD'
const header = [0, 1, 1] as const
const deliver = pduOf(
  5,
  9,
  header,
  '79160000000\0',
  [0, 0],
  '3377\0',
  [4, 0, 0, 0, 0, 0, 0, 0, 0, report.length],
  report,
)

describe('SMS by SMPP: bytes that nobody expects', () => {
  let fixture: Fixture
  let smsc: ScriptedSmsc
  let courier: Courier
  beforeEach(async () => {
    fixture = await createFixture('SMPP')
    smsc = await startScriptedSmsc(accept)
    courier = fixture.courier({ SMS_SMPP_URL: smsc.url }, { minRetryMs: 1, maxRetryMs: 5 })
    await courier.start(never)
  })
  afterEach(async () => {
    await fixture.stop()
    await smsc.stop()
  })

  const sendsAgain = () =>
    until(async () => (await courier.send([item(phone(1))], never))[0]?.kind === 'sent', 'it sends again')

  for (const [name, bytes] of Object.entries(withoutResponse))
    it(`leaves ${name} without a response, and the connection as it is`, async () => {
      smsc.sessions[0]?.socket.write(bytes)
      await sendsAgain()
      expect(smsc.sessions).to.have.length(1)
    })

  for (const length of [0, 3, 4, 15, 16_385, 0xffff_ffff])
    it(`says what is wrong with a PDU of ${length} octets, and binds anew at once`, async () => {
      smsc.answer = (_pdu, session) => {
        const header = Buffer.alloc(16)
        header.writeUInt32BE(length)
        session.socket.write(header)
      }
      const [outcome] = await courier.send([item(phone(1))], never)
      expect(outcome).to.include({ kind: 'unknown', why: `broken SMPP: a PDU of ${length} octets` })
      smsc.answer = accept
      await sendsAgain()
    })

  it('takes no half PDU for a whole one when the connection ends within it', async () => {
    smsc.sessions[0]?.socket.end(deliver.subarray(0, -4))
    await until(() => smsc.sessions.length > 1, 'it has come back')
    await sendsAgain()
    expect(fixture.receipts).to.deep.equal([])
  })

  it('survives anything else, connection by connection', async () => {
    const samples = [...Object.values(withoutResponse), enquireLink, deliver]
    for (let seed = 1; seed <= 150; seed += 1) {
      const session = smsc.sessions.at(-1)
      session?.socket.write(brokenBytes(seed, samples))
      session?.socket.end()
      await until(() => smsc.sessions.at(-1) !== session, `it has come back after seed ${seed}`)
    }
    await sendsAgain()
  })
})

describe('SMS by HTTP: calls that nobody expects', () => {
  let fixture: Fixture
  let port: number
  let courier: Courier
  beforeEach(async () => {
    fixture = await createFixture('HTTP')
    port = Number(fixture.env.SMS_HTTP_CALLBACK_PORT)
    courier = fixture.courier()
    await courier.start(never)
  })
  afterEach(() => fixture.stop())

  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: courier\r\nConnection: close\r\n\r\n`)
  const takesReports = async () => {
    expect((await courier.send([item(phone(1))], never))[0]?.kind).to.equal('sent')
    await until(() => fixture.receipts.length > 0, 'the report has come')
  }

  for (const path of ['//', '//?', '/\\', 'http://', '*', '/%', '/sms/reports/a/%zz?status=1'])
    it(`goes on after GET ${path}`, async () => {
      await throwAt({ port }, get(path))
      await takesReports()
    })

  it('survives anything else', async () => {
    await throwMany({ port }, [get('//'), get('/sms/reports/1/abc?status=1&words=x'), get('/x')], 200)
    await takesReports()
  })
})
