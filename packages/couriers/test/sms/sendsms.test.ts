import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createCertificate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, type Fixture, item, never, password, phone } from './fixture.ts'

describe('SMS by HTTP', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture('HTTP')
  })
  afterEach(() => fixture.stop())

  const reportUrls: URL[] = []
  let gateway: Server | undefined
  /** A gateway that answers one thing, and keeps the calls. */
  const gatewayAnswering = async (status: number, words = '') => {
    reportUrls.length = 0
    gateway = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://gateway')
      const report = searchParams.get('dlr-url')
      if (report) reportUrls.push(new URL(report.replace('%d', '1').replace('%A', 'fine')))
      response.writeHead(status).end(words)
    })
    gateway.listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    const { port } = gateway.address() as AddressInfo
    const courier = fixture.courier({ SMS_HTTP_URL: `http://fleet:${password}@127.0.0.1:${port}/cgi-bin/sendsms` })
    await courier.start(never)
    return courier
  }
  afterEach(async () => {
    if (!gateway) return
    gateway.closeAllConnections()
    gateway.close()
    await once(gateway, 'close')
    gateway = undefined
  })

  const answers: [number, string, object][] = [
    [202, '0: Accepted for delivery', { kind: 'sent' }],
    [202, '3: Queued for later delivery', { kind: 'sent' }],
    [200, '<html>Log in to the Wi-Fi', { kind: 'unknown' }],
    [503, 'Temporal failure, try again later.', { kind: 'throttled', scope: 'account', retryAfterMs: 1000 }],
    [
      403,
      'Not routable. Do not try again.',
      { kind: 'rejected', class: 'invalid', detail: 'NOT_ROUTABLE: Not routable. Do not try again.' },
    ],
    [403, 'Authorization failed for sendsms', { kind: 'throttled', scope: 'account', retryAfterMs: 30_000 }],
    [404, 'Unknown request.', { kind: 'throttled', scope: 'account' }],
    [
      400,
      'Missing receiver number, rejected',
      { kind: 'rejected', class: 'refused', detail: 'HTTP_400: Missing receiver number, rejected' },
    ],
    [502, 'Bad gateway', { kind: 'unknown' }],
  ]
  for (const [status, words, outcome] of answers)
    it(`understands ${status} ${words}`, async () => {
      const courier = await gatewayAnswering(status, words)
      const [answer] = await courier.send([item(phone(1))], never)
      expect(answer).to.include(outcome)
    })

  it('sends nothing when there is no gateway', async () => {
    const courier = fixture.courier()
    await courier.start(never)
    await fixture.smsc.stop()
    const outcome = await until(async () => {
      const [each] = await courier.send([item(phone(1))], never)
      // the first may still leave on the dying connection
      return each?.kind !== 'unknown' && each
    }, 'it is known that the gateway is gone')
    expect(outcome.kind).to.equal('not-sent')
    expect(courier.readiness.notReady()?.why).to.equal('not connected to the gateway (ECONNREFUSED)')
  })

  describe('by https, where there is no connection any more', () => {
    const trust = 'NODE_TLS_REJECT_UNAUTHORIZED'
    const sockets = new Set<Socket>()
    let calls: number
    let meet: (socket: Socket) => void
    beforeEach(() => {
      calls = 0
      meet = () => {}
      // as if its certificate were one that is vouched for
      process.env[trust] = '0'
    })
    afterEach(() => {
      delete process.env[trust]
      for (const socket of sockets) socket.destroy()
    })

    /** It keeps no connection: each call makes one. The courier is started, and has sent a message. */
    const startedBy = async (host = '127.0.0.1') => {
      gateway = createSecureServer(createCertificate(), ({ method }, response) => {
        if (method === 'GET') calls += 1
        response.writeHead(202, { connection: 'close' }).end()
      })
      gateway.on('connection', (socket: Socket) => {
        sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
        meet(socket)
      })
      gateway.listen(0, '127.0.0.1')
      await once(gateway, 'listening')
      const url = `https://fleet:${password}@${host}:${portOf(gateway)}/cgi-bin/sendsms`
      const courier = fixture.courier({ SMS_HTTP_URL: url })
      await courier.start(never)
      const [outcome] = await courier.send([item(phone(1))], never)
      expect([outcome?.kind, calls]).to.deep.equal(['sent', 1])
      return courier
    }

    const ways: [string, string, () => void][] = [
      ['its certificate is not good any more', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => delete process.env[trust]],
      ['it is reset before there is one', 'ECONNRESET', () => (meet = (socket) => socket.resetAndDestroy())],
      ['it is ended before there is one', 'ECONNRESET', () => (meet = (socket) => socket.end())],
    ]
    for (const [what, code, lose] of ways)
      it(`${what}: nothing was sent, and it is not ready`, async () => {
        const courier = await startedBy()
        lose()
        const why = `not connected to the gateway (${code})`
        expect(await courier.send([item(phone(2))], never)).to.deep.equal([{ kind: 'not-sent', why }])
        expect(courier.readiness.notReady()?.why).to.equal(why)
        expect(calls).to.equal(1)
      })

    it('it is ready again once there is one', async () => {
      const courier = await startedBy()
      delete process.env[trust]
      await courier.send([item(phone(2))], never)
      expect(courier.readiness.notReady()).not.to.equal(undefined)
      process.env[trust] = '0'
      await until(() => courier.readiness.notReady() === undefined, 'it is ready')
      expect((await courier.send([item(phone(2))], never))[0]?.kind).to.equal('sent')
    })

    it('there is none in time: it is put off, and nothing leaves afterwards', async () => {
      const { lookup } = dns
      try {
        const courier = await startedBy('localhost')
        // nobody says where it is, until it is too late
        let found: ((error: null, addresses: object[]) => void) | undefined
        Object.assign(dns, { lookup: (_host: string, _options: object, told: typeof found) => (found = told) })
        let isMet = false
        meet = () => (isMet = true)
        const stopping = new AbortController()
        const sending = courier.send([item(phone(2))], stopping.signal)
        const tell = await until(() => found, 'it is asked where the gateway is')
        stopping.abort()
        const [outcome] = await sending
        expect(outcome).to.include({ kind: 'throttled', isOwn: true, reason: 'no connection in time' })
        expect(courier.readiness.notReady()).to.equal(undefined)
        tell(null, [{ address: '127.0.0.1', family: 4 }])
        await until(() => (isMet && sockets.size === 0) || calls > 1, 'the connection is made, and ended')
        expect(calls).to.equal(1)
      } finally {
        Object.assign(dns, { lookup })
      }
    })
  })

  it('never has more calls unanswered than its window holds', async () => {
    const unanswered: ServerResponse[] = []
    let most = 0
    const answerAll = () => {
      most = Math.max(most, unanswered.length)
      for (const response of unanswered.splice(0)) response.writeHead(202).end()
    }
    // answered five at a time, and a little later: there is time for one too many
    gateway = createServer(({ method }, response) => {
      // so it is asked whether it is there
      if (method === 'HEAD') response.end()
      else if (unanswered.push(response) === 5) setTimeout(answerAll, 5)
    })
    gateway.listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    const { port } = gateway.address() as AddressInfo
    const courier = fixture.courier({ SMS_HTTP_URL: `http://a:b@127.0.0.1:${port}/cgi-bin/sendsms`, SMS_WINDOW: '5' })
    await courier.start(never)
    const outcomes = await courier.send(
      Array.from({ length: 40 }, (_, i) => item(phone(i))),
      never,
    )
    expect(new Set(outcomes.map(({ kind }) => kind))).to.deep.equal(new Set(['sent']))
    expect(most).to.equal(5)
  })

  describe('its delivery reports', () => {
    it('are taken only with the token made for that message', async () => {
      const courier = await gatewayAnswering(202)
      const [outcome] = await courier.send([item(phone(1))], never)
      const [url] = reportUrls as [URL]
      expect(url.pathname).to.match(/^\/sms\/reports\/\w+-[\w-]{8}\/[\w-]{43}$/)
      expect(url.href).not.to.include(password)
      const [, , , id, token] = url.pathname.split('/') as string[]
      for (const path of ['', '/', `/sms/reports/${id}`, `/sms/reports/${id}/x`, `/sms/reports/other/${token}`])
        expect((await fetch(`${url.origin}${path}?status=1`)).status).to.equal(404)
      expect(fixture.receipts).to.deep.equal([])
      expect((await fetch(url)).status).to.equal(200)
      expect(fixture.receipts).to.deep.equal([
        { providerIds: [outcome?.kind === 'sent' ? outcome.providerId : ''], state: 'delivered' },
      ])
    })

    it('are of one contact: of somebody with two phones each has an id of its own, the same on a resend', async () => {
      const first = await gatewayAnswering(202)
      const sent = item(phone(1))
      const other = { ...sent, address: phone(2) }
      await first.send([sent], never)
      await first.send([other], never)
      const second = fixture.courier({
        SMS_HTTP_URL: `http://fleet:${password}@127.0.0.1:${portOf(gateway)}/cgi-bin/sendsms`,
      })
      await second.start(never)
      await second.send([sent], never)
      const ids = reportUrls.map(({ pathname }) => pathname.split('/').at(-2))
      expect(ids[2]).to.equal(ids[0])
      expect(ids[1]).not.to.equal(ids[0])
    })

    it('say nothing when they are not final', async () => {
      const courier = await gatewayAnswering(202)
      await courier.send([item(phone(1))], never)
      const [url] = reportUrls as [URL]
      for (const status of ['4', '8', 'x']) {
        url.searchParams.set('status', status)
        expect((await fetch(url)).status).to.equal(200)
      }
      expect(fixture.receipts).to.deep.equal([])
      url.searchParams.set('status', '16')
      await fetch(url)
      expect(fixture.receipts[0]).to.include({ state: 'failed', reason: 'fine' })
    })

    it('go to a standing-by process when the one with the port is gone', async () => {
      const first = await gatewayAnswering(202)
      const [url] = await first.send([item(phone(1))], never).then(() => reportUrls as [URL])
      const second = fixture.courier({
        SMS_HTTP_URL: `http://fleet:${password}@127.0.0.1:${portOf(gateway)}/cgi-bin/sendsms`,
      })
      await second.start(never)
      await first.stop()
      const isTaken = () =>
        fetch(url).then(
          ({ status }) => status === 200,
          () => false,
        )
      await until(isTaken, 'the second has the port')
      expect(fixture.receipts).to.have.length(1)
    })

    it('are refused a start when the port cannot be had at all', async () => {
      const courier = fixture.courier({ SMS_HTTP_CALLBACK_URL: 'http://192.0.2.1', SMS_HTTP_CALLBACK_PORT: '1' })
      const error = await courier.start(never).then(
        () => undefined,
        (reason: Error) => reason,
      )
      // whoever may listen on low ports starts all the same
      if (process.getuid?.() !== 0) expect(error?.message).to.match(/EACCES/)
      await courier.stop()
    })
  })

  it('is not confused by numbers, texts and passwords with signs of their own', async () => {
    const courier = fixture.courier()
    await courier.start(never)
    const text = 'a&b=c+d%20e#f?"\\ €\n'
    await courier.send([item(phone(1), text), item(phone(2), `ё ${text.repeat(20)}`)], never)
    await until(() => fixture.world.accepted.length === 2, 'both are accepted')
    expect(new Set(fixture.world.accepted.map((entry) => entry.text))).to.deep.equal(
      new Set([text, `ё ${text.repeat(20)}`]),
    )
    expect(fixture.world.accepted.map(({ address }) => address)).to.have.members([phone(1), phone(2)])
  })
})

function portOf(server: Server | undefined): number {
  const address = server?.address() as AddressInfo
  return address.port
}
