/** Messages to URLs in a whole fleet: a receiver of our own on this machine, and the official verifier on every body. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CorrectionRehearsal, EndpointView, RecallRehearsal } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'

const program = join(import.meta.dirname, '../../packages/command-line/bin/fleet.mjs')

interface Call {
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly body: string
}

describe('messages to URLs', () => {
  let fleet: Fleet
  let server: Server
  let calls: Call[]
  /** the status of the next call of a path; absent: 200; 0: never answered; 429: not before so many seconds */
  const statuses = new Map<string, number[]>()
  const afterSeconds = 20
  /** it is tried before that */
  const expiresMs = 45_000

  before(async () => {
    server = createServer(async (request, response) => {
      const { headers, url = '' } = request
      calls.push({ headers, url, body: await text(request) })
      const status = statuses.get(url)?.shift() ?? 200
      if (status === 429) response.setHeader('retry-after', afterSeconds)
      if (status > 0) response.writeHead(status).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    fleet = await startFleet({
      couriers: { telegram: 1, vk: 0, sms: 0, http: 2 },
      env: { HTTP_RETRY_SCALE: '0.02' },
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
  const command = async (...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.apiKey },
    })
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    const [out, err] = await said
    return { code, out, err }
  }
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
    const { settled } = await fleet.api.track(key)
    expect(settled).to.equal(true)
    const tries = callsOf('flaky')
    expect(tries).to.have.lengthOf(3)
    expect(new Set(tries.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).to.equal(1)
    expect((await fleet.api.history(key)).channels.http).to.include({ sent: 2 })
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('are failed with what was said last, once they have expired', async () => {
    statuses.set('/down', new Array(50).fill(500))
    const expires = ahead(expiresMs)
    const { history } = await fleet.api.deliver({ to: [`url:${here('down')}`], text: 'Нет', expires })
    expect(history.channels.http).to.include({ failed: 1 })
    const [receipt] = await fleet.api.receipts(history.key)
    expect(receipt?.channels.http).to.deep.include({ state: 'failed', reason: 'not-taken' })
    expect(receipt?.channels.http?.detail).to.match(/^500|^not called/)
  })

  it('are tried again where their sender says so, once they have failed: under the same id, and nobody twice', async () => {
    statuses.set('/later', new Array(50).fill(500))
    const expires = ahead(expiresMs)
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
    const { settled } = await fleet.api.track(history.key)
    expect(settled).to.equal(true)
    expect((await fleet.api.history(history.key)).channels.http).to.include({ failed: 0, sent: 2 })
    const calls = callsOf('later')
    expect(calls).to.have.lengthOf(inVain.length + 1)
    expect(new Set(calls.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).to.equal(1)
    expect(callsOf('taken')).to.have.lengthOf(1)
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    expect((await retry()).body.people).to.equal(0)
  })

  it('come at least once each, the same at every try, though processes are killed again and again', async () => {
    const secret = await secretOf('POST', '/v1/webhook-secret:rotate')
    const paths = Array.from({ length: 30 }, (_unused, n) => `kills-${n}`)
    const keys = await Promise.all(
      paths.map((path, n) => fleet.api.send({ to: [`url:${here(path)}`], text: path, at: ahead(1_000 + 150 * n) })),
    )
    const came = () => paths.filter((path) => callsOf(path).length > 0).length
    for (let kills = 0; kills < 6; kills += 1) {
      const before = calls.length
      await until(() => calls.length > before + 2 || came() === paths.length, 'some are called')
      const name = ['courier-http-1', 'courier-http-2'][kills % 2] as string
      await fleet.kill(name)
      await fleet.start(name)
    }
    for (const key of keys) {
      expect((await fleet.api.track(key)).settled).to.equal(true)
      expect((await fleet.api.history(key)).channels.http).to.include({ sent: 1 })
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    }
    for (const path of paths) {
      const tries = callsOf(path)
      for (const call of tries) expect(verify(call, secret)).to.include({ text: path })
      expect(new Set(tries.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, path).to.equal(1)
    }
  })

  it('are sent, looked at and tried again from the command line', async () => {
    const key = await fleet.api.send({ to: [`url:${here('tried?once')}`], text: 'Раньше', at: ahead(3_600_000) })
    statuses.set('/cli', new Array(50).fill(500))
    const data = { room: 412 }
    const url = here('cli')
    const sent = ['send', '--to', `url:${url}`, '--text', 'Из консоли', '--data', JSON.stringify(data), '--wait', '0']
    const made = await command(...sent, '--json')
    const { history } = JSON.parse(made.out) as { history: { key: string } }
    await until(() => callsOf('cli').length > 0, 'it is called')
    expect(JSON.parse(callsOf('cli')[0]?.body ?? '')).to.deep.include({ data, history: history.key })
    expect((await command(...sent.with(6, '[1]'))).err).to.contain('--data is a JSON object')

    await until(
      async () => (await fleet.api.get<EndpointView>(`/v1/endpoints?url=${url}`)).said === '500',
      'it is noted',
    )
    const { out } = await command('endpoints')
    expect(out).to.match(new RegExp(`^${url} +admin +1 +(called|left-alone) +500 +20`, 'm'))
    expect(out, 'what has not been called').to.match(new RegExp(`^${here('tried')} +admin +1 +called *$`, 'm'))
    const nobody = await command('retry', history.key)
    expect([nobody.code, nobody.out]).to.deep.equal([1, 'There is nobody whose endpoint has not taken it.\n'])
    await fleet.api.call('DELETE', `/v1/histories/${key}`)

    expect((await command('endpoints', 'disable', url)).out).to.equal(
      `${url} is called no more: what waits for it fails, until "endpoints enable ${url}".\n`,
    )
    expect((await command('endpoints')).out).to.match(new RegExp(`^${url} +admin +1 +off `, 'm'))
    expect((await command('endpoints', 'enable', url)).out).to.equal(`${url} is called again as messages come.\n`)
    statuses.set('/gone-wrong', new Array(50).fill(500))
    const failed = await fleet.api.deliver({
      to: [`url:${here('gone-wrong')}`],
      text: 'Нет',
      expires: ahead(expiresMs),
    })
    statuses.clear()
    await command('endpoints', 'enable', here('gone-wrong'))
    const retried = await command('retry', failed.history.key, '--expires', '+1h')
    expect([retried.code, retried.out.split('.')[0]]).to.deep.equal([0, 'Tried again: 1'])
    expect((await fleet.api.track(failed.history.key)).history.channels.http).to.include({ sent: 1 })
    expect((await command('status', failed.history.key)).out).to.contain('1 taken by another system')
  })

  it('show their endpoints to operators, whoever sends, and to nobody else', async () => {
    const { history } = await fleet.api.deliver({ to: [`url:${here('shown')}`], text: 'Видно' })
    const path = `/v1/endpoints?url=${here('shown')}&sender=${history.sender}`
    const [boss, trainer] = [await fleet.apiOf('boss', 'operator'), await fleet.apiOf('t-01', 'trainer')]
    await until(async () => (await boss.get<EndpointView>(path)).said === '200', 'an operator sees it')
    expect((await trainer.call('GET', path)).status).to.equal(403)
    expect((await boss.get<EndpointView>(`/v1/endpoints?url=${here('shown')}`)).said, 'their own').to.equal(undefined)
  })

  it('are corrected and withdrawn by calls of their own, as it is rehearsed, at people’s URLs and at those that are named', async () => {
    const secret = await secretOf('POST', '/v1/webhook-secret:rotate')
    const { history } = await fleet.api.deliver({ to: [`url:${here('exam')}`, `url:${here('gone')}`], text: 'В 305' })
    const { key } = history
    const [first] = callsOf('exam') as [Call]
    const body = { text: 'В 412' }
    const path = `/v1/histories/${key}/corrections`
    const foretold = await fleet.api.call<CorrectionRehearsal>('POST', `${path}?dryRun=true`, body)
    expect(foretold.body.channels.http).to.include({ edited: 2, followedUp: 0, uncorrected: 0 })
    statuses.set('/gone', [410])
    statuses.set('/exam', [500])
    expect((await fleet.api.call('POST', path, body)).status).to.equal(202)
    const { versions } = (await fleet.api.track(key)).history
    const counts = { followedUp: 0, pending: 0, unknown: 0 }
    expect(versions?.[1]?.corrected?.http).to.deep.equal({ ...counts, edited: 1, uncorrected: 1 })
    const [, failed, corrected, ...more] = callsOf('exam') as [Call, Call, Call]
    expect(more).to.deep.equal([])
    expect([failed.body, failed.headers['webhook-id']]).to.deep.equal([corrected.body, corrected.headers['webhook-id']])
    const id = first.headers['webhook-id']
    expect(verify(corrected, secret)).to.include({ type: 'corrected', version: 2, text: 'В 412', history: key })
    expect(verify(corrected, secret).replaces).to.deep.equal([id])

    const withdrawn = await fleet.api.call<RecallRehearsal>('DELETE', `/v1/histories/${key}?recall=true&dryRun=true`)
    expect(withdrawn.body.channels.http).to.include({ deleted: 2, remaining: 0 })
    statuses.set('/gone', [410])
    await fleet.api.call('DELETE', `/v1/histories/${key}?recall=true`)
    const { recalled } = (await fleet.api.track(key)).history
    expect(recalled?.channels.http).to.deep.equal({ deleted: 1, replaced: 0, pending: 0, remaining: 1 })
    const last = verify(callsOf('exam').at(-1) as Call, secret)
    expect(last).to.include({ type: 'recalled', version: 3, history: key })
    expect([last.replaces, last.text]).to.deep.equal([[id], undefined])
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    const { out } = await command('status', key)
    expect(out).to.contain('Other systems: 1 told of the withdrawal, 1 still have it, or may have it')

    const own = await secretOf('PUT', '/v1/contacts/http/t-02', { address: here('own') })
    const theirs = await fleet.api.deliver({ to: ['user:t-02'], text: 'Вам', channels: ['http'] })
    await fleet.api.call('POST', `/v1/histories/${theirs.history.key}/corrections`, { text: 'И вам' })
    await fleet.api.track(theirs.history.key)
    expect(verify(callsOf('own').at(-1) as Call, own)).to.include({ type: 'corrected', person: 't-02', text: 'И вам' })
  })

  it('that were corrected while they were tried come once with the new text, which says what it replaces', async () => {
    // the correction is there before it is tried again
    statuses.set('/late', [429])
    const key = await fleet.api.send({ to: [`url:${here('late')}`], text: 'В 305' })
    await until(() => callsOf('late').length === 1, 'it is called')
    expect((await fleet.api.call('POST', `/v1/histories/${key}/corrections`, { text: 'В 412' })).status).to.equal(202)
    await fleet.api.track(key)
    const [first, second, ...more] = callsOf('late') as [Call, Call]
    expect(more).to.deep.equal([])
    const id = first.headers['webhook-id']
    expect(JSON.parse(second.body)).to.deep.include({
      id: `${id}-2`,
      type: 'message',
      version: 2,
      replaces: [id],
      text: 'В 412',
    })
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('are called again under the same id by another process when one is killed in the middle', async () => {
    statuses.set('/killed', [0])
    const key = await fleet.api.send({ to: [`url:${here('killed')}`], text: 'Убит' })
    await until(() => callsOf('killed').length === 1, 'the call is under way')
    const names = ['courier-http-1', 'courier-http-2']
    for (const name of names) await fleet.kill(name)
    await fleet.start(...names)
    expect((await fleet.api.track(key)).settled).to.equal(true)
    const [first, second] = callsOf('killed') as [Call, Call]
    expect([second.headers['webhook-id'], second.body]).to.deep.equal([first.headers['webhook-id'], first.body])
    expect((await fleet.api.history(key)).channels.http).to.include({ sent: 1 })
  })
})
