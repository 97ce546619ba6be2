/** Messages to URLs in a whole fleet: a receiver of our own on this machine, and the official verifier on every body. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Fleet, startFleet } from './fleet.ts'

interface Call {
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly body: string
}

describe('messages to URLs', () => {
  let fleet: Fleet
  let server: Server
  let calls: Call[]
  /** the status of the next call of a path; absent: 200; 0: never answered */
  const statuses = new Map<string, number[]>()

  before(async () => {
    server = createServer(async (request, response) => {
      const { headers, url = '' } = request
      calls.push({ headers, url, body: await text(request) })
      const status = statuses.get(url)?.shift() ?? 200
      if (status > 0) response.writeHead(status).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    fleet = await startFleet({
      couriers: { telegram: 1, vk: 0, sms: 0, http: 2 },
      env: { HTTP_RETRY_SCALE: '0.02', LEASE_MS: '2000' },
    })
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await fleet.stop()
  })
  beforeEach(() => {
    calls = []
    statuses.clear()
  })

  const here = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  const callsOf = (path: string) => calls.filter(({ url }) => url === `/${path}`)
  const verify = ({ headers, body }: Call, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
  const secretOf = async (method: string, path: string, body?: unknown) => {
    const answer = await fleet.api.call<{ secret: string }>(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body.secret
  }

  it('post what was accepted to a URL, signed by the webhook secret of the sender, before and after it is rotated', async () => {
    const first = await secretOf('POST', '/v1/webhook-secret:rotate')
    const data = { uid: 'anna', changed: { room: ['305', '412'] } }
    const sent = await fleet.api.deliver({ to: [`url:${here('hook?a=1')}`], text: 'Пара перенесена', data })
    expect(sent.history.channels).to.have.all.keys('http')
    expect(sent.history).to.deep.include({ data, people: { ...sent.history.people, sentToChat: 1 } })
    const [call] = callsOf('hook?a=1') as [Call]
    const said = verify(call, first)
    expect(said).to.deep.equal({
      id: call.headers['webhook-id'],
      created: sent.history.acceptedAt,
      type: 'message',
      text: 'Пара перенесена',
      history: sent.history.key,
      data,
    })
    const [receipt] = await fleet.api.receipts(sent.history.key)
    expect(receipt).to.deep.include({ name: here('hook?a=1') })
    expect(receipt?.channels.http).to.include({ state: 'sent', providerId: call.headers['webhook-id'] as string })

    const second = await secretOf('POST', '/v1/webhook-secret:rotate')
    await fleet.api.deliver({ to: [`url:${here('rotated')}`], text: 'Ещё раз' })
    for (const secret of [first, second]) verify(callsOf('rotated')[0] as Call, secret)
    expect(await fleet.api.get('/v1/webhook-secret')).to.include({ valid: 2 })
  })

  it("post to a person's own URL, whose secret is told once; another URL has another one", async () => {
    const path = '/v1/contacts/http/t-01'
    const secret = await secretOf('PUT', path, { address: here('person') })
    expect((await fleet.api.call('PUT', path, { address: here('person') })).status).to.equal(204)
    await fleet.api.deliver({ to: ['user:t-01'], text: 'Вам', channels: ['http'] })
    expect(verify(callsOf('person')[0] as Call, secret)).to.include({ person: 't-01', text: 'Вам' })

    const other = await secretOf('PUT', path, { address: here('moved') })
    await fleet.api.deliver({ to: ['user:t-01'], text: 'Туда', channels: ['http'] })
    const [call] = callsOf('moved') as [Call]
    verify(call, other)
    expect(() => verify(call, secret)).to.throw()
    const rotated = await secretOf('POST', `${path}:rotate`)
    await fleet.api.deliver({ to: ['user:t-01'], text: 'И туда', channels: ['http'] })
    for (const each of [other, rotated]) verify(callsOf('moved')[1] as Call, each)
  })

  it('refuse what may not be called, and what is half for people', async () => {
    const refusal = async (body: object) => {
      const { status, body: problem } = await fleet.api.call('POST', '/v1/messages', { text: 'x', ...body })
      return [status, problem.code, problem.field]
    }
    expect(await refusal({ to: ['url:http://169.254.169.254/latest'] })).to.deep.equal([422, 'refused-url', 'to.0'])
    expect(await refusal({ to: [`url:${here('a')}`, 'user:t-01'] })).to.deep.equal([422, 'urls-and-people', 'to.1'])
    const channels = ['telegram']
    expect(await refusal({ to: [`url:${here('a')}`], channels })).to.deep.equal([422, 'unknown-channel', 'channels.0'])
    const trainer = await fleet.apiOf('t-01', 'trainer')
    const denied = await trainer.call('POST', '/v1/messages', { to: [`url:${here('a')}`], text: 'x' })
    expect([denied.status, denied.body.code]).to.deep.equal([403, 'not-your-audience'])
    const contact = await fleet.api.call('PUT', '/v1/contacts/http/t-01', { address: 'http://10.0.0.1/' })
    expect([contact.status, contact.body.code]).to.deep.equal([422, 'refused-url'])
    expect(calls).to.deep.equal([])
  })

  it('try again what is not taken, under the same id and with the same body, and hold up nobody else', async () => {
    statuses.set('/flaky', [500, 503])
    const key = await fleet.api.send({ to: [`url:${here('flaky')}`, `url:${here('fine')}`], text: 'Дважды' })
    await until(() => callsOf('fine').length === 1, 'the other is called at once')
    const { settled } = await fleet.api.track(key, 20)
    expect(settled).to.equal(true)
    const tries = callsOf('flaky')
    expect(tries).to.have.lengthOf(3)
    expect(new Set(tries.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).to.equal(1)
    expect((await fleet.api.history(key)).channels.http).to.include({ sent: 2 })
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('are failed with what was said last, once they have expired', async () => {
    statuses.set('/down', new Array(50).fill(500))
    const expires = new Date(Date.now() + 2_000).toISOString()
    const { history } = await fleet.api.deliver({ to: [`url:${here('down')}`], text: 'Нет', expires })
    expect(history.channels.http).to.include({ failed: 1 })
    const [receipt] = await fleet.api.receipts(history.key)
    expect(receipt?.channels.http).to.deep.include({ state: 'failed', reason: 'not-taken' })
    expect(receipt?.channels.http?.detail).to.match(/^500|^not called/)
  })

  it('are tried again where their sender says so, once they have failed: under the same id, and nobody twice', async () => {
    statuses.set('/later', new Array(50).fill(500))
    const expires = new Date(Date.now() + 5_000).toISOString()
    const to = [`url:${here('later')}`, `url:${here('taken')}`]
    const { history } = await fleet.api.deliver({ to, text: 'Потом', expires })
    expect(history.channels.http).to.include({ failed: 1, sent: 1 })
    statuses.clear()
    const inVain = callsOf('later')
    await fleet.api.call('POST', '/v1/endpoints:enable', { url: here('later') })
    const retry = () => fleet.api.call<{ people: number }>('POST', `/v1/histories/${history.key}:retry`, {})
    const answers = await Promise.all([retry(), retry(), retry()])
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 202, 202])
    expect(answers.reduce((sum, { body }) => sum + body.people, 0)).to.equal(1)
    const { settled } = await fleet.api.track(history.key, 20)
    expect(settled).to.equal(true)
    expect((await fleet.api.history(history.key)).channels.http).to.include({ failed: 0, sent: 2 })
    const calls = callsOf('later')
    expect(calls).to.have.lengthOf(inVain.length + 1)
    expect(new Set(calls.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).to.equal(1)
    expect(callsOf('taken')).to.have.lengthOf(1)
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    expect((await retry()).body.people).to.equal(0)
  })

  it('are called again under the same id by another process when one is killed in the middle', async () => {
    statuses.set('/killed', [0])
    const key = await fleet.api.send({ to: [`url:${here('killed')}`], text: 'Убит' })
    await until(() => callsOf('killed').length === 1, 'the call is under way')
    const names = ['courier-http-1', 'courier-http-2']
    for (const name of names) await fleet.kill(name)
    await fleet.start(...names)
    expect((await fleet.api.track(key, 30)).settled).to.equal(true)
    const [first, second] = callsOf('killed') as [Call, Call]
    expect([second.headers['webhook-id'], second.body]).to.deep.equal([first.headers['webhook-id'], first.body])
    expect((await fleet.api.history(key)).channels.http).to.include({ sent: 1 })
  })
})
