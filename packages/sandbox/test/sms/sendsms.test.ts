import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { useCentre } from './centre-fixture.ts'

describe('the SMS centre: sendsms calls', () => {
  const fixture = useCentre()
  const queryOf = (parameters: Record<string, string>) =>
    new URLSearchParams({
      username: fixture.endpoint.systemId,
      password: fixture.endpoint.password,
      from: '3377',
      to: '+79160000001',
      text: 'Привет',
      ...parameters,
    })
  const call = async (parameters: Record<string, string> = {}, raw = '') => {
    const response = await fetch(`${fixture.endpoint.sendsmsUrl}?${queryOf(parameters)}${raw}`)
    return `${response.status} ${await response.text()}`
  }

  it("accepts in Kannel's words, by GET and by POST", async () => {
    expect(await call()).to.equal('202 0: Accepted for delivery')
    const posted = await fetch(fixture.endpoint.sendsmsUrl, { method: 'POST', body: queryOf({ text: 'ещё 🎓' }) })
    expect(posted.status).to.equal(202)
    expect(fixture.texts()).to.deep.equal(['Привет', 'ещё 🎓'])
    expect(fixture.world.accepted[0]).to.include({ address: '+79160000001', channel: 'sms' })
  })

  it("refuses in Kannel's words", async () => {
    expect(await call({ password: 'wrong' })).to.equal('403 Authorization failed for sendsms')
    expect(await call({ to: '' })).to.equal('400 Missing receiver number, rejected')
    expect(await call({ from: '' })).to.equal('400 Sender missing and no global set, rejected')
    expect(await call({ charset: 'KOI8-R' })).to.match(/^400 /)
    fixture.world.setPhone({ channel: 'sms', address: '+79160000002', state: 'blocked' })
    expect(await call({ to: '+79160000002' })).to.equal('403 Not routable. Do not try again.')
    fixture.world.addFault({ channel: 'sms', kind: 'throttle' })
    expect(await call()).to.equal('503 Temporal failure, try again later.')
    expect((await fetch(new URL('/', fixture.endpoint.sendsmsUrl))).status).to.equal(404)
    expect(fixture.texts()).to.deep.equal([])
  })

  it('puts parts together by the header given in udh, whatever its octets', async () => {
    expect(await call({ text: 'один ' }, '&udh=%05%00%03%e9%02%01')).to.match(/^202/)
    expect(fixture.texts()).to.deep.equal([])
    await call({ text: 'чужой' }, '&udh=%05%00%03%ea%02%02')
    await call({ text: 'два' }, '&udh=%05%00%03%e9%02%02')
    expect(fixture.texts()).to.deep.equal(['один два'])
  })

  it('takes texts as long as a phone can take', async () => {
    expect(await call({ text: 'ж'.repeat(17_000) })).to.match(/^202/)
  })

  describe('delivery reports', () => {
    const calls: URL[] = []
    const statuses: number[] = []
    const server = createServer((request, response) => {
      calls.push(new URL(request.url ?? '', 'http://client'))
      response.writeHead(statuses.shift() ?? 200).end()
    })
    let base: string
    beforeEach(async () => {
      calls.length = 0
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    })
    afterEach(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    const report = (mask: string, template = '?d=%d&to=%p&from=%P&words=%A&same=%%&own=%z') =>
      call({ 'dlr-mask': mask, 'dlr-url': `${base}/report${template}` })

    it('calls the URL with its escapes filled in', async () => {
      await report('31')
      await until(() => calls.length === 1, 'the report came')
      expect(Object.fromEntries(calls[0]?.searchParams ?? [])).to.include({
        d: '1',
        to: '+79160000001',
        from: '3377',
      })
      expect(calls[0]?.searchParams.get('words')).to.match(/^id:\w+ stat:DELIVRD err:000$/)
    })

    it('reports only what the mask asks for, and failures as such', async () => {
      await report('2')
      fixture.world.addFault({ channel: 'sms', kind: 'reports', mode: 'failed' })
      await report('1')
      await report('19')
      await until(() => calls.length === 1, 'the report came')
      expect(calls[0]?.searchParams.get('d')).to.equal('2')
    })

    it('calls again until it is taken', async () => {
      statuses.push(503, 500)
      await report('3')
      await until(() => calls.length === 3, 'the report was taken')
    })

    it('calls nobody outside this machine', async () => {
      for (const url of ['http://198.51.100.7/%d', 'https://127.0.0.1/%d', 'http://localhost.example.com/', 'nonsense'])
        expect(await call({ 'dlr-mask': '3', 'dlr-url': url })).to.match(/^202/)
      await report('3')
      await until(() => calls.length === 1, 'the one report that may go out')
    })
  })
})
