import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { silentLog } from '@courier-fleet/process'
import { until } from '@courier-fleet/testkit'
import {
  createGuardedClient,
  type GuardedClient,
  guardedSettings,
  newSecret,
  signedHeaders,
} from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { http } from '../../src/http/channel.ts'
import { startStandIn } from '../../src/http/index.ts'
import type { Accepted, Fault } from '../../src/index.ts'
import { World } from '../../src/world.ts'

/** so long that the call has arrived by then, on a machine that has other things to do */
const impatientMs = 6_000

describe('the receiver of the sandbox', () => {
  let world: World
  let receiver: Awaited<ReturnType<typeof startStandIn>>
  let client: GuardedClient
  let origin: string
  let calls = 0

  beforeEach(async () => {
    world = new World()
    receiver = await startStandIn({ world, log: silentLog })
    const { port, dnsPort } = receiver.endpoint
    origin = `http://127.0.0.1:${port}`
    const env = { HTTP_ALLOW_PLAIN: 'on', HTTP_ALLOW_NETS: '127.0.0.1', HTTP_DNS_SERVERS: `127.0.0.1:${dnsPort}` }
    client = createGuardedClient(guardedSettings(env))
  })
  afterEach(async () => {
    await client.close()
    await receiver.stop()
  })

  const post = (
    url: string,
    { id = `call-${++calls}`, secrets = [] as string[], text = 'Пара перенесена', timeoutMs = 30_000 } = {},
  ) => {
    const body = JSON.stringify({ id, type: 'message', text, data: { room: 5 } })
    const signature = secrets.length > 0 ? signedHeaders({ id, secrets, atMs: Date.now(), body }) : { 'webhook-id': id }
    return client.post(url, { headers: { 'content-type': 'application/json', ...signature }, body, timeoutMs })
  }
  const shown = (url: string) => world.chats[http]?.read(url).messages ?? []
  const lastCall = (url: string) => shown(url).at(-1)?.call
  const fault = (kind: Fault['kind'], more: Partial<Fault> = {}) => world.addFault({ channel: http, kind, ...more })

  it('takes a message, and shows it with its data', async () => {
    const url = `${origin}/anna?x=1`
    expect(await post(url, { id: 'a1' })).to.deep.include({ kind: 'answer', status: 200 })
    const [taken] = world.accepted as [Accepted]
    expect(taken).to.include({ channel: 'http', address: url, text: 'Пара перенесена', key: 'a1', providerId: 'a1' })
    expect(JSON.parse(taken.body ?? '')).to.deep.include({ id: 'a1', data: { room: 5 } })
    expect(shown(url)).to.have.length(1)
    expect(shown(url)[0]).to.include({ from: 'client', text: 'Пара перенесена\n{\n "room": 5\n}' })
    expect(lastCall(url)).to.deep.equal({ id: 'a1', signature: 'no-signature', answered: 200, tries: 1 })
  })

  it('does what it is told of a message it has: another text, and that it is gone, which are no messages themselves', async () => {
    const url = `${origin}/anna`
    await post(url, { id: 'a1' })
    const told = (id: string, more: object) =>
      client.post(url, { headers: { 'webhook-id': id }, body: JSON.stringify({ id, ...more }), timeoutMs: 30_000 })
    await told('a2', { type: 'corrected', version: 2, replaces: ['a1'], text: 'В 412' })
    expect(shown(url).map(({ text }) => text.slice(0, 5))).to.deep.equal(['В 412', '{"id"'])
    expect(shown(url)[0]?.editedAt).to.be.above(0)
    await told('a3', { type: 'recalled', version: 3, replaces: ['a1', 'a2'] })
    expect(shown(url).map(({ call }) => call?.id)).to.deep.equal(['a3'])
    expect(world.accepted.map(({ key }) => key)).to.deep.equal(['a1'])
    const revised = () => world.revisions.map(({ providerId, text }) => [providerId, text])
    expect(revised()).to.deep.equal([
      ['a1', 'В 412'],
      ['a1', undefined],
      ['a2', undefined],
    ])
    // a message that was corrected before it came takes the place of what may have come
    await post(url, { id: 'b1' })
    await told('b1-2', { type: 'message', version: 2, replaces: ['b1'], text: 'В 413' })
    expect(shown(url).map(({ call }) => call?.id)).to.deep.equal(['a3', 'b1-2'])
    expect(world.accepted.map(({ key }) => key)).to.deep.equal(['a1', 'b1', 'b1-2'])
    expect(revised().at(-1)).to.deep.equal(['b1', undefined])
  })

  it('leaves what it has where a correction comes after a newer one', async () => {
    const url = `${origin}/anna`
    const told = (id: string, more: object) => {
      const body = JSON.stringify({ id, history: 'dean.1', ...more })
      return client.post(url, { headers: { 'webhook-id': id }, body, timeoutMs: 30_000 })
    }
    await told('a1', { type: 'message', text: 'В 411' })
    await told('a3', { type: 'corrected', version: 3, replaces: ['a1', 'a2'], text: 'В 413' })
    const late = await told('a2', { type: 'corrected', version: 2, replaces: ['a1'], text: 'В 412' })
    expect(late).to.deep.include({ status: 200 })
    expect(shown(url).map(({ text }) => text.slice(0, 5))).to.deep.equal(['В 413', '{"id"', '{"id"'])
    expect(world.revisions.map(({ text }) => text)).to.deep.equal(['В 413', 'В 413'])
  })

  it('verifies signatures once it was given the secret, and takes nothing that it cannot believe', async () => {
    const url = `${origin}/anna`
    const [secret, next] = [newSecret(), newSecret()]
    await post(url, { secrets: [secret] })
    expect(lastCall(url)).to.include({ signature: 'unchecked', answered: 200 })
    world.say({ channel: http, address: url, text: ` ${secret}\n` })
    expect(JSON.stringify(shown(url)), 'not for everybody at the wall').not.to.contain(secret)
    await post(url, { secrets: [secret] })
    expect(lastCall(url)).to.include({ signature: 'valid', answered: 200 })
    expect(world.accepted.at(-1)).to.include({ signature: 'valid' })
    expect(await post(url, { secrets: [next, secret] }), 'while it is rotated').to.deep.include({ status: 200 })

    const taken = world.accepted.length
    expect(await post(url, { secrets: [next] })).to.deep.include({ status: 401 })
    expect(lastCall(url)).to.include({ signature: 'wrong-signature', answered: 401 })
    expect(await post(url)).to.deep.include({ status: 401 })
    expect(lastCall(url)).to.include({ signature: 'no-signature', answered: 401 })
    expect(world.accepted).to.have.length(taken)
    world.say({ channel: http, address: url, text: next })
    expect(await post(url, { secrets: [next] })).to.deep.include({ status: 200 })
  })

  it('knows a further try by its id, and does not take the id for another body', async () => {
    const url = `${origin}/anna`
    await post(url, { id: 'a1' })
    expect(await post(url, { id: 'a1' })).to.deep.include({ status: 200 })
    expect(world.accepted).to.have.length(1)
    expect(shown(url)).to.have.length(1)
    expect(lastCall(url)).to.include({ tries: 2, answered: 200 })
    expect(await post(url, { id: 'a1', text: 'Другое' })).to.deep.include({ status: 422 })
    expect(world.accepted).to.have.length(1)
    expect(await post(url, { id: 'a1', secrets: [newSecret()] }), 'signed anew').to.deep.include({ status: 200 })
    expect(world.calls).to.deep.equal({ came: 4, repeated: 3, changed: 1 })
    await post(`${origin}/boris`, { id: 'a1' })
    expect(world.accepted, 'each receiver has its own').to.have.length(2)
  })

  it('knows a further try of what it did not take, and takes no other call in its place', async () => {
    const url = `${origin}/anna`
    fault('disconnect', { count: 1 })
    expect(await post(url, { id: 'a1' })).to.deep.include({ kind: 'no-answer' })
    expect(await post(url, { id: 'a1', text: 'Другое' })).to.deep.include({ status: 422 })
    expect(await post(url, { id: 'a1' })).to.deep.include({ status: 200 })
    expect(world.calls).to.deep.equal({ came: 3, repeated: 2, changed: 1 })
  })

  it('behaves as its URL says', async () => {
    expect(await post(`${origin}/moved/x`)).to.deep.include({ kind: 'answer', status: 302 })
    expect(await post(`${origin}/gone/x`)).to.deep.include({ kind: 'answer', status: 410 })
    expect(await post(`${origin}/error/x`)).to.deep.include({ kind: 'answer', status: 500 })
    const busy = await post(`${origin}/busy/x`)
    expect(busy).to.deep.include({ kind: 'answer', status: 429 })
    if (busy.kind === 'answer') expect(busy.headers['retry-after']).to.equal('5')
    expect(await post(`${origin}/hang/x`, { timeoutMs: impatientMs })).to.deep.include({
      kind: 'no-answer',
      why: 'timed-out',
    })
    expect(lastCall(`${origin}/hang/x`)).to.include({ answered: 'nothing' })
    expect(world.accepted, 'none of them took it').to.have.length(0)

    expect(await post(`${origin}/huge/x`)).to.deep.include({ kind: 'answer', status: 200, whole: false })
    expect(await post(`${origin}/cut/x`)).to.deep.include({ kind: 'no-answer', why: 'cut', sent: true })
    const startedAt = performance.now()
    expect(await post(`${origin}/slow/x`, { timeoutMs: 30_000 })).to.deep.include({ kind: 'answer', status: 200 })
    expect(performance.now() - startedAt).to.be.above(2900)
    expect(world.accepted, 'these took it').to.have.length(3)
    expect(world.phones().map(({ address }) => address)).to.include.members([`${origin}/ok`, `${origin}/hang`])
  })

  it('behaves as its phone is', async () => {
    const url = `${origin}/anna`
    for (const state of ['blocked', 'deactivated', 'unknown'] as const) {
      world.setPhone({ channel: http, address: url, state })
      expect(await post(url), state).to.deep.include({ kind: 'answer', status: 410 })
    }
    world.setPhone({ channel: http, address: url, state: 'off' })
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'cut' })
    expect(world.accepted).to.have.length(0)
  })

  it('has the faults of every stand-in', async () => {
    const url = `${origin}/anna`
    fault('throttle', { seconds: 7, count: 1 })
    const throttled = await post(url)
    expect(throttled).to.deep.include({ status: 429 })
    if (throttled.kind === 'answer') expect(throttled.headers['retry-after']).to.equal('7')
    fault('disconnect', { count: 1 })
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'cut' })
    fault('hang', { count: 1 })
    expect(await post(url, { timeoutMs: impatientMs })).to.deep.include({ kind: 'no-answer', why: 'timed-out' })
    fault('reject', { code: '418', count: 1 })
    expect(await post(url)).to.deep.include({ status: 418 })
    fault('refuse-once')
    expect(await post(url, { id: 'r' })).to.deep.include({ status: 410 })
    expect(world.accepted).to.have.length(0)
    expect(await post(url, { id: 'r' })).to.deep.include({ status: 200 })
    world.clearFaults()
    fault('reply-lost', { addresses: [url], count: 1 })
    expect(await post(url, { id: 'lost' })).to.deep.include({ kind: 'no-answer', why: 'cut' })
    expect(await post(url, { id: 'lost' })).to.deep.include({ status: 200 })
    expect(world.accepted.map(({ key }) => key)).to.deep.equal(['r', 'lost'])
  })

  it('has a name that leads to it, and the next time into a private network: whoever is guarded is not led there', async () => {
    const url = `http://rebinding.sandbox.test:${receiver.endpoint.port}/rebinding`
    const first = await post(url)
    expect(first).to.deep.include({ kind: 'answer', status: 200 })
    await client.close()
    const env = { HTTP_ALLOW_PLAIN: 'on', HTTP_ALLOW_NETS: '127.0.0.1' }
    const dns = `127.0.0.1:${receiver.endpoint.dnsPort}`
    client = createGuardedClient(guardedSettings({ ...env, HTTP_DNS_SERVERS: dns }))
    expect(await post(url)).to.deep.equal({
      kind: 'blocked',
      why: 'the name rebinding.sandbox.test leads to an address that is not public',
    })
    expect(world.accepted).to.have.length(1)
  })

  it('answers DNS as a resolver expects it, and nothing to what is no query', async () => {
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${receiver.endpoint.dnsPort}`])
    const socket = createSocket('udp4')
    try {
      for (const wrong of [Buffer.alloc(0), Buffer.alloc(12), Buffer.from('000100000001000000000000ffff', 'hex')])
        socket.send(wrong, receiver.endpoint.dnsPort, '127.0.0.1')
      expect(await resolver.resolve4('rebinding.sandbox.test')).to.deep.equal(['127.0.0.1'])
      expect(await resolver.resolve4('REBINDING.sandbox.test')).to.deep.equal(['10.0.0.1'])
      const query = Buffer.from(
        '12340100000100000000000009726562696e64696e670773616e64626f7804746573740000010001',
        'hex',
      )
      const told: number[] = []
      socket.on('message', (packet) => told.push(packet.at(-4) as number))
      for (let times = 0; times < 2; times++) socket.send(query, receiver.endpoint.dnsPort, '127.0.0.1')
      await until(() => told.length === 2, 'both are answered')
      expect(told, 'what the address begins with, for the same query twice').to.deep.equal([127, 127])
      const none = await resolver.resolve6('rebinding.sandbox.test').catch(({ code }) => code)
      expect(none).to.equal('ENODATA')
    } finally {
      socket.close()
    }
  })

  it('is called by POST, and not by pages of other sites', async () => {
    expect((await fetch(`${origin}/anna`)).status).to.equal(405)
    const foreign = await fetch(`${origin}/anna`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: '{}',
    })
    expect(foreign.status).to.equal(403)
    expect(shown(`${origin}/anna`)).to.deep.equal([])
  })

  it('tells the wall of every call, and forgets them when told to', async () => {
    const changed: string[] = []
    world.on('changed', ({ address }) => changed.push(address))
    await post(`${origin}/error/x`)
    expect(changed).to.deep.equal([`${origin}/error/x`])
    world.forget()
    expect(shown(`${origin}/error/x`)).to.deep.equal([])
  })
})
