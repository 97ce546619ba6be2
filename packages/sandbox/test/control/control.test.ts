import { expect } from 'chai'
import { realLimits } from '../../src/limits.ts'
import type { IncomingMessage } from '../../src/stand-in.ts'
import { accepted, createFixture, type Fixture } from './fixture.ts'

const problemType = 'application/problem+json; charset=utf-8'

describe('sandbox control', () => {
  let fixture: Fixture
  beforeEach(() => {
    fixture = createFixture()
  })
  afterEach(() => fixture.control.close())
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: unknown) =>
    fixture.control.inject({ method, url, ...(payload === undefined ? {} : { payload: payload as object }) })

  it('says where the stand-ins listen, and that it is well', async () => {
    expect((await call('GET', '/endpoints')).json()).to.deep.equal(fixture.endpoints)
    expect((await call('GET', '/healthz')).json()).to.deep.equal({ ok: true })
  })

  it('says how the calls of systems were', async () => {
    Object.assign(fixture.world.calls, { came: 3, repeated: 1 })
    expect((await call('GET', '/calls')).json()).to.deep.equal({ came: 3, repeated: 1, changed: 0 })
  })

  describe('/accepted', () => {
    const rows = async (query = '') =>
      (await call('GET', `/accepted${query}`)).body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))

    it('tells every message, from a number or a moment on', async () => {
      for (let i = 0; i < 1200; i++) fixture.world.accept(accepted(i))
      const all = await rows()
      expect(all).to.have.length(1200)
      expect(all[700]).to.deep.equal({ seq: 700, ...accepted(700) })
      expect((await rows('?since=1198')).map(({ seq }) => seq)).to.deep.equal([1198, 1199])
      expect(await rows('?since=1200')).to.deep.equal([])
      expect((await rows('?since=1800000001197')).map(({ seq }) => seq)).to.deep.equal([1197, 1198, 1199])
    })

    it('is forgotten by a reset', async () => {
      fixture.world.accept(accepted(1))
      expect((await call('POST', '/reset')).statusCode).to.equal(204)
      expect(await rows()).to.deep.equal([])
    })

    it('streams a hundred thousand of them, as NDJSON', async () => {
      for (let i = 0; i < 100_000; i++) fixture.world.accepted.push(accepted(i))
      const response = await call('GET', '/accepted')
      expect(response.headers['content-type']).to.equal('application/x-ndjson; charset=utf-8')
      expect(response.body.split('\n')).to.have.length(100_001)
    })

    it('refuses a `since` that is no number', async () => {
      const response = await call('GET', '/accepted?since=yesterday')
      expect([response.statusCode, response.json().field]).to.deep.equal([400, 'since'])
    })
  })

  it('declares phones, and lets their owners write', async () => {
    const phones = [
      { channel: 'sms', address: '+79160000001', state: 'blocked' },
      { channel: 'telegram', address: '7', state: 'ok' },
    ]
    expect((await call('PUT', '/phones', phones)).statusCode).to.equal(204)
    expect((await call('GET', '/phones')).json()).to.deep.equal(phones)
    expect(fixture.world.phone('sms', '+79160000001').state).to.equal('blocked')

    const said: IncomingMessage[] = []
    fixture.world.on('say', (message) => said.push(message))
    expect((await call('POST', '/phones/sms/+79160000001/say', { text: 'СТОП' })).statusCode).to.equal(202)
    expect((await call('POST', '/phones/sms/%2B79160000001/say', { text: 'СТОП' })).statusCode).to.equal(202)
    expect(said).to.deep.equal(Array(2).fill({ channel: 'sms', address: '+79160000001', text: 'СТОП' }))
  })

  it('adds, shows and clears faults', async () => {
    const throttle = { channel: 'vk', kind: 'throttle', seconds: 2, count: 3 }
    const reject = { channel: 'sms', kind: 'reject', code: '0x0000000B', addresses: ['+7916'] }
    expect((await call('POST', '/faults', throttle)).statusCode).to.equal(201)
    expect((await call('POST', '/faults', reject)).json()).to.deep.equal([throttle, reject])
    fixture.world.takeFault('vk', 'throttle', '1')
    expect((await call('GET', '/faults')).json()).to.deep.equal([{ ...throttle, count: 2 }, reject])
    expect((await call('DELETE', '/faults?channel=vk')).statusCode).to.equal(204)
    expect(fixture.world.faults()).to.deep.equal([reject])
    await call('DELETE', '/faults')
    expect(fixture.world.faults()).to.deep.equal([])
  })

  it('changes the limits named and leaves the others', async () => {
    const changed = await call('POST', '/limits', { vk: { callsPerSecond: null }, sms: { window: 10 } })
    const wanted = realLimits()
    wanted.vk.callsPerSecond = null
    wanted.sms.window = 10
    expect(changed.json()).to.deep.equal(wanted)
    expect((await call('GET', '/limits')).json()).to.deep.equal(wanted)
    expect(fixture.world.limits).to.deep.equal(wanted)
  })

  const wrong: [string, 'POST' | 'PUT' | 'DELETE', string, unknown, string | undefined][] = [
    ['an unknown channel', 'PUT', '/phones', [{ channel: 'fax', address: '1', state: 'ok' }], '0.channel'],
    ['an unknown state', 'PUT', '/phones', [{ channel: 'vk', address: '1', state: 'gone' }], '0.state'],
    ['a phone without an address', 'PUT', '/phones', [{ channel: 'vk', state: 'ok' }], '0.address'],
    ['an address that is a number', 'PUT', '/phones', [{ channel: 'vk', address: 1, state: 'ok' }], '0.address'],
    ['no list', 'PUT', '/phones', {}, undefined],
    ['an empty text', 'POST', '/phones/vk/1/say', { text: ' ' }, 'text'],
    ['an unknown channel in the path', 'POST', '/phones/fax/1/say', { text: 'a' }, 'channel'],
    ['an unknown kind of fault', 'POST', '/faults', { channel: 'vk', kind: 'fire' }, 'kind'],
    ['an unknown field', 'POST', '/faults', { channel: 'vk', kind: 'hang', often: 2 }, 'often'],
    ['a count of nothing', 'POST', '/faults', { channel: 'vk', kind: 'hang', count: 0 }, 'count'],
    ['a rejection without its code', 'POST', '/faults', { channel: 'vk', kind: 'reject' }, 'code'],
    ['reports without a mode', 'POST', '/faults', { channel: 'sms', kind: 'reports' }, 'mode'],
    ['an unknown channel of faults', 'DELETE', '/faults?channel=fax', undefined, 'channel'],
    ['a limit of nothing', 'POST', '/limits', { vk: { callsPerSecond: 0 } }, 'vk.callsPerSecond'],
    ['a limit that is text', 'POST', '/limits', { vk: { callsPerSecond: 'off' } }, 'vk.callsPerSecond'],
    ['an unknown limit', 'POST', '/limits', { vk: { perSecond: 1 } }, 'vk.perSecond'],
  ]
  for (const [what, method, url, body, field] of wrong)
    it(`refuses ${what}, and says where`, async () => {
      const before = JSON.stringify([fixture.world.phones(), fixture.world.faults(), fixture.world.limits])
      const response = await call(method, url, body)
      expect(response.statusCode).to.equal(400)
      expect(response.headers['content-type']).to.equal(problemType)
      expect(response.json()).to.include({ status: 400, title: 'Bad Request' })
      expect(response.json().field).to.equal(field)
      expect(JSON.stringify([fixture.world.phones(), fixture.world.faults(), fixture.world.limits])).to.equal(before)
    })

  it('says so when there is no such route, or no JSON', async () => {
    const missing = await call('GET', '/nothing')
    expect([missing.statusCode, missing.headers['content-type']]).to.deep.equal([404, problemType])
    const headers = { 'content-type': 'application/json' }
    const broken = await fixture.control.inject({ method: 'POST', url: '/faults', headers, payload: '{' })
    expect([broken.statusCode, broken.headers['content-type']]).to.deep.equal([400, problemType])
  })
})
