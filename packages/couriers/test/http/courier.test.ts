/** What is the HTTP courier's own: its answers, its signature, its breakers, and that a slow endpoint is nobody else's trouble. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { correctedCall, messageCall, recalledCall } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { endpointOf, newSecret } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import type { Courier, Edit, Item, Outcome } from '../../src/courier.ts'
import { createFixture, envelope, type Fixture, itemTo, never, secrets } from './fixture.ts'

interface Call {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describe('the HTTP courier', () => {
  let fixture: Fixture
  let courier: Courier
  let server: Server
  let calls: Call[]
  /** what the next calls are answered with: a status and headers; nothing: no answer at all */
  let answers: (readonly [status: number, headers?: Record<string, string>, body?: string] | undefined)[]

  beforeEach(async () => {
    fixture = await createFixture()
    courier = fixture.courier()
    await courier.start(never)
    calls = []
    answers = []
    server = createServer(async (request, response) => {
      calls.push({ headers: request.headers, body: await text(request) })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer) response.writeHead(answer[0], answer[1]).end(answer[2])
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await fixture.stop()
  })

  const here = (path = '') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  const send = async (item: Item): Promise<Outcome> => (await courier.send([item], never))[0] as Outcome

  it('posts one body at every try, which the official verifier takes, and changes nothing but time and signature', async () => {
    answers = [[500], [200]]
    const item = itemTo(here('hook'))
    expect((await send(item)).kind).to.equal('not-taken')
    expect(await send(item)).to.deep.equal({ kind: 'sent', providerId: item.key.toString(16).padStart(16, '0') })
    const [first, second] = calls as [Call, Call]
    expect(second.body).to.equal(first.body)
    expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id'])
    for (const { headers, body } of calls) {
      const verified = new Webhook(secrets[0] as string).verify(body, headers as Record<string, string>)
      // as OpenAPI has it under webhooks
      messageCall.parse(verified)
      expect(verified).to.deep.equal({
        id: headers['webhook-id'],
        created: '2026-09-01T00:00:00.000Z',
        type: 'message',
        text: item.text,
        person: 'anna',
        history: '05.dean.abcdefgh',
        data: { room: 412, changed: ['room'] },
      })
    }
  })

  it('tells of a new text and of a recall by calls of their own, the same at every try, which name what they are of', async () => {
    answers = [[200]]
    const item = itemTo(here('hook'))
    const { providerId } = (await send(item)) as { providerId: string }
    const version = { ...envelope, version: 2 }
    const edit: Edit = { ...item, key: item.key + 7n, text: 'В 412', envelope: version, providerId }
    answers = [[500], [200]]
    expect((await courier.edit?.([edit], never))?.[0]?.kind).to.equal('not-taken')
    expect(await courier.edit?.([edit], never)).to.deep.equal([{ kind: 'sent', providerId }])
    const [, tried, corrected] = calls as [Call, Call, Call]
    expect(tried).to.deep.include({ body: corrected.body })
    expect(tried.headers['webhook-id']).to.equal(corrected.headers['webhook-id'])
    const verify = ({ headers, body }: Call) =>
      new Webhook(secrets[0] as string).verify(body, headers as Record<string, string>)
    expect(correctedCall.parse(verify(corrected))).to.include({ version: 2, text: 'В 412', person: 'anna' })
    expect(correctedCall.parse(verify(corrected)).replaces).to.deep.equal([providerId])

    const recall: Edit = {
      ...edit,
      key: item.key + 8n,
      envelope: { ...envelope, version: 3 },
      providerId: `${providerId},aa`,
    }
    answers = [[204]]
    expect(await courier.recall?.([recall], never)).to.deep.equal([{ kind: 'sent', providerId: `${providerId},aa` }])
    const said = recalledCall.parse(verify(calls.at(-1) as Call))
    expect(said).to.deep.include({ version: 3, replaces: [providerId, 'aa'], history: '05.dean.abcdefgh' })
    answers = [[410]]
    expect((await courier.recall?.([recall], never))?.[0]).to.include({ kind: 'rejected', class: 'deactivated' })
  })

  it('has another id for a message that was corrected before it came, and names those under which it may have come', async () => {
    answers = [[500], [200]]
    const item = itemTo(here('hook'))
    await send(item)
    const outcome = await send({ ...item, text: 'В 412', envelope: { ...envelope, version: 3 } })
    const [first, second] = calls as [Call, Call]
    const id = first.headers['webhook-id'] as string
    expect(outcome).to.deep.equal({ kind: 'sent', providerId: `${id}-3` })
    expect(messageCall.parse(JSON.parse(second.body))).to.deep.include({
      id: `${id}-3`,
      version: 3,
      replaces: [id, `${id}-2`],
    })
  })

  it('signs with each secret that is good, and sends nothing without any', async () => {
    answers = [[204]]
    const rotated = [newSecret(), ...secrets]
    await send(itemTo(here(), { envelope: { ...envelope, secrets: rotated } }))
    const [{ headers, body }] = calls as [Call]
    for (const secret of rotated) new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(() => new Webhook(newSecret()).verify(body, headers as Record<string, string>)).to.throw()
    const unsigned = await send(itemTo(here(), { envelope: { ...envelope, secrets: [] } }))
    expect(unsigned).to.include({ kind: 'rejected', class: 'refused' })
    expect(calls).to.have.lengthOf(1)
  })

  const meanings: [string, NonNullable<(typeof answers)[number]>, Partial<Outcome>][] = [
    ['201', [201], { kind: 'sent' }],
    ['410', [410], { kind: 'rejected', class: 'deactivated' }],
    ['302', [302, { location: 'https://example.org/' }], { kind: 'rejected', class: 'refused' }],
    ['404', [404, {}, 'no such hook'], { kind: 'not-taken', detail: '404: no such hook', wasAsked: true }],
    ['503', [503], { kind: 'not-taken', detail: '503', wasAsked: true }],
  ]
  for (const [name, answer, meaning] of meanings)
    it(`takes ${name} for ${meaning.kind}`, async () => {
      answers = [answer]
      expect(await send(itemTo(here()))).to.include(meaning)
    })

  it('tells where a redirect leads, and does not follow it', async () => {
    answers = [[307, { location: here('other') }]]
    const outcome = await send(itemTo(here('hook')))
    expect(outcome).to.have.property('detail').that.includes(here('other'))
    expect(calls).to.have.lengthOf(1)
  })

  it('never calls an address that is not public, and says so', async () => {
    const strict = fixture.courier({ HTTP_ALLOW_NETS: '' })
    const [outcome] = await strict.send([itemTo(here())], never)
    expect(outcome).to.include({ kind: 'rejected', class: 'invalid' })
    expect(calls).to.deep.equal([])
  })

  /** Lets go of a call at once, and waits for long until it ends. */
  const hasty = () => fixture.courier({}, {}, { letGoMs: 50 })

  it('lets go of a call that is slow, long before it is given up', async () => {
    answers = [undefined]
    const startedAt = performance.now()
    const [outcome] = await hasty().send([itemTo(here('slow'))], never)
    expect(performance.now() - startedAt).to.be.below(10_000)
    await until(() => calls.length > 0, 'it is called')
    expect(outcome).to.include({ kind: 'unknown', providerId: calls[0]?.headers['webhook-id'] })
    expect(outcome).to.have.property('retryAfterMs')
    expect(fixture.reports).to.deep.equal([])
  })

  /** What is asked from now on is answered by the test. */
  const held = () => {
    const asked: ServerResponse[] = []
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      request.resume()
      asked.push(response)
    })
    return asked
  }

  it('posts to others while a call is slow, as long as it has places', async () => {
    const asked = held()
    const sending = courier.send([itemTo(here('slow')), itemTo(fixture.urlOf('quick'))], never)
    await until(() => asked.length === 1 && fixture.world.accepted.length === 1, 'the other has it')
    asked[0]?.writeHead(200).end()
    expect((await sending).map(({ kind }) => kind)).to.deep.equal(['sent', 'sent'])
  })

  it('records a late answer as a report', async () => {
    const asked = held()
    const item = itemTo(here('late'))
    expect((await hasty().send([item], never))[0]?.kind).to.equal('unknown')
    ;(await until(() => asked[0], 'it is called')).writeHead(200).end()
    await until(() => fixture.reports.length > 0, 'the answer is told')
    const id = item.key.toString(16).padStart(16, '0')
    expect(fixture.reports).to.deep.equal([
      { providerIds: [id], state: 'sent', answered: { providerId: id, reportId: id } },
    ])
  })

  it('has four calls of an endpoint under way, and never more', async () => {
    const asked = held()
    let most = 0
    const answerAll = () => {
      most = Math.max(most, asked.length)
      for (const response of asked.splice(0)) response.writeHead(200).end()
    }
    // answered four at a time, and a little later: there is time for one too many
    server.on('request', () => asked.length === 4 && setTimeout(answerAll, 20))
    const outcomes = await courier.send(
      Array.from({ length: 40 }, () => itemTo(here('busy'))),
      never,
    )
    expect(new Set(outcomes.map(({ kind }) => kind))).to.deep.equal(new Set(['sent']))
    expect(most).to.equal(4)
  })

  it('leaves an endpoint alone after five failures, asks it once when its time is over, and closes again', async () => {
    answers = [[500]]
    const url = here('failing?call=1')
    for (let count = 0; count < 5; count += 1) expect(await send(itemTo(url))).to.include({ wasAsked: true })
    const left = await send(itemTo(here('failing?call=2')))
    expect(left).to.include({ kind: 'not-taken', wasAsked: false })
    expect(calls, 'not called').to.have.lengthOf(5)
    expect((await send(itemTo(here('another')))).kind, 'another endpoint').to.equal('not-taken')
    expect(calls).to.have.lengthOf(6)
    answers = [[200]]
    const endpoint = endpointOf(envelope.of, url)
    await fixture.redis.hset(keys.breaker('http', endpoint), 'until', Date.now() - 1)
    expect((await fixture.breakers.ask(endpoint)).kind, 'its time is over').to.equal('probe')
    expect((await fixture.breakers.ask(endpoint)).kind, 'by one').to.equal('wait')
    await fixture.breakers.tell(endpoint, { answer: 'ok', said: '200', isProbe: true })
    expect((await send(itemTo(url))).kind).to.equal('sent')
  })

  it('leaves an endpoint alone, or to whoever probes it, no longer than was meant where the clock is set back', async () => {
    const endpoint = endpointOf(envelope.of, here('set-back'))
    const breaker = keys.breaker('http', endpoint)
    const hourMs = 3_600_000
    const setBack = async (fields: readonly string[]) => {
      for (const field of fields) await fixture.redis.hincrby(breaker, field, hourMs)
    }
    for (let count = 0; count < 5; count += 1)
      await fixture.breakers.tell(endpoint, { answer: 'failed', said: '500', isProbe: false })
    await setBack(['at', 'until'])
    const left = await fixture.breakers.ask(endpoint)
    expect(left.kind === 'wait' && left.ms, 'thirty seconds').to.be.within(1, 30_000)
    await fixture.redis.hset(breaker, 'until', Date.now() - 1)
    expect((await fixture.breakers.ask(endpoint)).kind).to.equal('probe')
    await setBack(['at', 'until', 'probe'])
    const probed = await fixture.breakers.ask(endpoint)
    expect(probed.kind === 'wait' && probed.ms, 'twenty seconds').to.be.within(1, 50_000)
    await setBack(['at', 'until', 'probe'])
    await fixture.breakers.tell(endpoint, { answer: 'failed', said: '500', isProbe: true })
    const again = await fixture.breakers.ask(endpoint)
    expect(again.kind === 'wait' && again.ms, 'a minute').to.be.within(1, 60_000)
  })

  it('gives a probe back that became no call, or one that says nothing of the endpoint', async () => {
    const url = here('probed')
    const endpoint = endpointOf(envelope.of, url)
    const breaker = keys.breaker('http', endpoint)
    await fixture.redis.hset(breaker, { step: 1, until: Date.now() - 1 })
    // a courier that stops does not wait for it for long
    const isGivenBack = async () => (await fixture.redis.hget(breaker, 'probe')) === null
    const busy = fixture.courier({}, { pacer: { take: () => Promise.reject(new Error('no turn')) } })
    expect((await busy.send([itemTo(url)], never))[0]?.kind).to.equal('throttled')
    await busy.stop()
    await until(isGivenBack, 'it is given back, for there was no turn')
    const fenced = fixture.courier({ HTTP_ALLOW_NETS: '' })
    expect((await fenced.send([itemTo(url)], never))[0]?.kind).to.equal('rejected')
    await fenced.stop()
    await until(isGivenBack, 'it is given back, for there was no address to call')
    expect((await fixture.breakers.ask(endpoint)).kind).to.equal('probe')
  })

  it('goes by a breaker that was seen closed a moment ago, and asks once a call has failed since', async () => {
    let [asked, nowMs] = [0, Date.now()]
    const { breakers } = fixture
    const ask: typeof breakers.ask = (endpoint) => {
      asked += 1
      return breakers.ask(endpoint)
    }
    const counting = { ...breakers, ask }
    const seeing = fixture.courier({}, { breakers: counting, clock: { now: () => nowMs } })
    const sendSeen = async (closedAtMs: number) => {
      const [outcome] = await seeing.send([itemTo(here('seen'), { envelope: { ...envelope, closedAtMs } })], never)
      return [outcome?.kind, asked]
    }
    answers = [[200], [200], [500]]
    expect(await sendSeen(nowMs)).to.deep.equal(['sent', 0])
    expect(await sendSeen(nowMs - 500), 'too long ago').to.deep.equal(['sent', 1])
    const seenMs = nowMs
    expect(await sendSeen(seenMs)).to.deep.equal(['not-taken', 1])
    nowMs += 1
    expect(await sendSeen(seenMs), 'it has failed since').to.deep.equal(['not-taken', 2])
    nowMs += 1
    expect(await sendSeen(nowMs), 'seen closed after that').to.deep.equal(['not-taken', 2])
  })

  it('waits for no breaker that is told of a success, but as it stops', async () => {
    answers = [[200]]
    let release = () => {}
    const told = new Promise<'closed'>((resolve) => {
      release = () => resolve('closed')
    })
    const slow = fixture.courier({}, { breakers: { ...fixture.breakers, tell: () => told } })
    expect((await slow.send([itemTo(here('taken'))], never))[0]?.kind).to.equal('sent')
    let isStopped = false
    const stopping = slow.stop().then(() => {
      isStopped = true
    })
    await new Promise(setImmediate)
    expect(isStopped).to.equal(false)
    release()
    await stopping
  })

  it('obeys Retry-After for everybody who calls it', async () => {
    answers = [[503, { 'retry-after': '30' }]]
    const outcome = await send(itemTo(here('overloaded')))
    expect(outcome).to.include({ kind: 'not-taken' }).and.have.property('retryAfterMs').that.is.within(29_000, 31_000)
    expect(await send(itemTo(here('overloaded')))).to.include({ wasAsked: false })
    expect(calls).to.have.lengthOf(1)
  })
})
