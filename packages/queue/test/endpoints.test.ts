import {
  type AuditPage,
  type EndpointsView,
  type EndpointView,
  type ServiceView,
  serviceView,
} from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { createBreakers, endpointOf, forgetBreaker, switchOff } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const url = 'https://lms.example.org/fleet?call=1'

describe('endpoints', () => {
  let university: University
  before(async () => {
    university = await startUniversity()
  })
  after(() => university.stop())

  const look = async (query: string, as: 'staff' | 'admin' | 'student' | 'operator') =>
    (await university.ask<EndpointView>(`GET /v1/endpoints?${query}`, { as })).json
  const fail = (of: string, times: number) => {
    const breakers = createBreakers(university.redis)
    const tell = () => breakers.tell(endpointOf(of, url), { answer: 'failed', said: '503', isProbe: false })
    return Array.from({ length: times }).reduce<Promise<unknown>>((before) => before.then(tell), Promise.resolve())
  }
  const ofUrl = `url=${encodeURIComponent(url)}`

  it('are called as long as nothing is known of them, and left alone after five failures, until somebody says otherwise', async () => {
    expect(await look(ofUrl, 'staff')).to.deep.equal({ host: 'lms.example.org', state: 'called' })
    await fail('staff-1', 4)
    expect(await look(ofUrl, 'staff')).to.include({ state: 'called', said: '503' })
    await fail('staff-1', 1)
    const left = await look(ofUrl, 'staff')
    expect(left).to.include({ state: 'left-alone' }).and.include.keys('nextTryAt', 'failingSince', 'at')
    expect((await look(ofUrl, 'admin')).state, "nobody's failures are another's").to.equal('called')
    const again = await university.ask('POST /v1/endpoints:enable', { as: 'staff' }, { url })
    expect(again.status).to.equal(204)
    expect(await look(ofUrl, 'staff')).to.deep.equal({ host: 'lms.example.org', state: 'called' })
  })

  it('are switched off for good after five days of nothing but failures, and said to be', async () => {
    const breakers = createBreakers(university.redis, {
      inARow: 5,
      ofMinute: 10,
      firstMs: 1,
      longestMs: 1,
      offAfterMs: 0,
    })
    const endpoint = endpointOf('operator-1', url)
    const told = { answer: 'failed', said: '500', isProbe: false } as const
    expect(await breakers.tell(endpoint, told)).to.equal('off-now')
    expect(await breakers.tell(endpoint, told), 'once').to.equal('off')
    expect((await breakers.ask(endpoint)).kind).to.equal('off')
    expect(await look(ofUrl, 'operator'))
      .to.include({ state: 'off', said: '500' })
      .and.include.keys('offSince')
  })

  it('are told to operators together while they are left alone or off: where, since when, why, and when they are tried again', async () => {
    const { redis } = university
    const told = async () => {
      const { json } = await university.ask<ServiceView>('GET /v1/service', { as: 'operator' })
      return serviceView.parse(json).endpoints ?? []
    }
    // the view of the fleet is read once a second at most
    const until = async (is: (view: EndpointsView | undefined) => boolean) => {
      let view: EndpointsView | undefined
      do [view] = await told()
      while (!is(view))
      return view
    }
    const metric = async (name: string) =>
      new RegExp(`^fleet_${name}\\{channel="http"\\} (.+)$`, 'm').exec(
        (await university.ask<string>('GET /metrics')).json,
      )?.[1]
    expect(await told(), 'every URL is called').to.deep.equal([])
    expect(await metric('endpoints_left_alone')).to.equal('0')

    const breakers = createBreakers(redis)
    const [failing, busy, gone] = ['failing', 'busy', 'gone'].map((name) => endpointOf(name, url)) as [
      string,
      string,
      string,
    ]
    const host = 'lms.example.org'
    const failed = { answer: 'failed', said: '503: maintenance', isProbe: false, host } as const
    for (const _ of Array.from({ length: 5 })) await breakers.tell(failing, failed)
    await breakers.tell(busy, { answer: 'left-alone', said: '429', pauseMs: 60_000, isProbe: false, host })
    await switchOff(redis, gone, host, false)
    const before = Date.now()
    const view = await until((each) => each?.leftAlone === 2 && each.off === 1)
    expect(view).to.include({ channel: 'http', atLeast: false })
    expect(view?.first.map(({ state, said }) => [state, said])).to.have.deep.members([
      ['left-alone', '429'],
      ['left-alone', '503: maintenance'],
      ['off', undefined],
    ])
    const saying = (said?: string) => view?.first.find((each) => each.said === said)
    const [paused, left, off] = [saying('429'), saying('503: maintenance'), view?.first.at(-1)]
    expect(off?.state, 'after those that are left alone').to.equal('off')
    expect(Date.parse(paused?.nextTryAt ?? '') - before).to.be.within(50_000, 61_000)
    expect(Date.parse(left?.nextTryAt ?? '') - Date.parse(left?.since ?? '')).to.equal(30_000)
    expect(off).to.not.have.property('nextTryAt')
    expect([await metric('endpoints_left_alone'), await metric('endpoints_off')]).to.deep.equal(['2', '1'])
    expect(Number(await metric('longest_left_alone_seconds'))).to.be.within(0.001, 60)
    const trainer = await university.ask('GET /v1/service', { as: 'trainer' })
    expect(trainer.status, 'whose URLs they are is not for everybody').to.equal(403)

    // its probe fails: it is open since then all the same, and longer
    const since = left?.since
    await redis.hset(keys.breaker('http', failing), 'until', 1)
    expect((await breakers.ask(failing)).kind).to.equal('probe')
    await breakers.tell(failing, { ...failed, isProbe: true })
    const longer = await until(
      (each) => each?.first.some((one) => one.since === since && one.nextTryAt !== left?.nextTryAt) === true,
    )
    expect(longer?.leftAlone).to.equal(2)

    // closed and open again, and nobody has looked meanwhile: it is one
    await breakers.tell(failing, { ...failed, answer: 'ok', said: '200', isProbe: true })
    for (const _ of Array.from({ length: 5 })) await breakers.tell(failing, failed)
    const again = await until(
      (each) => each?.first.some(({ said, since: at }) => said === failed.said && at !== since) === true,
    )
    expect([again?.leftAlone, again?.first.length]).to.deep.equal([2, 3])
    // as after five days of it
    await createBreakers(redis, { inARow: 5, ofMinute: 10, firstMs: 1, longestMs: 1, offAfterMs: 0 }).tell(
      failing,
      failed,
    )
    const given = await until((each) => each?.off === 2)
    const offSince = given?.first.find(({ said }) => said === failed.said)?.since ?? ''
    expect(Date.parse(offSince), 'off, and not left alone, since then').to.be.greaterThan(Date.parse(since ?? ''))
    await forgetBreaker(redis, failing)
    await forgetBreaker(redis, gone)
    await redis.hset(keys.breaker('http', busy), 'until', 1)
    await until((each) => each === undefined)
    expect(await redis.zcard(keys.openBreakers('http')), 'what is over is listed no more').to.equal(0)
  })

  it('are switched off by hand, until they are enabled: by whoever names them, and operators', async () => {
    const disable = async (as: 'trainer' | 'operator' | 'student', body: object) =>
      (await university.ask('POST /v1/endpoints:disable', { as }, body)).status
    const isTold = async (of: string) => {
      const leave = await createBreakers(university.redis).ask(endpointOf(of, url))
      return leave.kind === 'off' && leave.isTold
    }
    await fail('trainer-1', 5)
    for (const _twice of [1, 2]) expect(await disable('trainer', { url })).to.equal(204)
    const off = (await university.ask<EndpointView>(`GET /v1/endpoints?${ofUrl}`, { as: 'trainer' })).json
    expect(off).to.include({ state: 'off', said: '503' }).and.include.keys('offSince')
    expect(off, 'not for its failures').to.not.have.any.keys('failingSince', 'nextTryAt')
    expect(await isTold('trainer-1'), 'they did it themselves').to.equal(true)
    await university.ask('POST /v1/endpoints:enable', { as: 'trainer' }, { url })

    expect(await disable('operator', { url, sender: 'trainer-1' })).to.equal(204)
    expect(await isTold('trainer-1'), 'somebody else did').to.equal(false)
    const silent = (await university.ask<EndpointView>(`GET /v1/endpoints?${ofUrl}`, { as: 'trainer' })).json
    expect(Object.keys(silent), 'it was never called').to.have.members(['host', 'state', 'offSince'])
    expect(await disable('trainer', { url, sender: 'staff-1' })).to.equal(403)
    expect(await disable('student', { url })).to.equal(403)
    const { lines } = (await university.ask<AuditPage>('GET /v1/audit', { as: 'admin' })).json
    const said = lines.filter(({ action }) => action === 'endpoint.disabled')
    expect(said.map(({ by, detail }) => [by, detail])).to.have.deep.members([
      ['trainer-1', 'lms.example.org'],
      ['operator-1', 'lms.example.org'],
    ])
  })

  it('of a person are theirs to see, and operators', async () => {
    await university.ask('PUT /v1/contacts/http/student-1', { as: 'admin' }, { address: url })
    await fail('person:student-1', 5)
    for (const as of ['student', 'operator'] as const)
      expect(await look('person=student-1', as)).to.include({ state: 'left-alone' })
    const foreign = await university.ask('GET /v1/endpoints?person=student-1', { as: 'trainer' })
    expect(foreign.status).to.equal(403)
    const none = await university.ask('GET /v1/endpoints?person=staff-1', { as: 'operator' })
    expect([none.status, none.json.code]).to.deep.equal([404, 'unknown-contact'])
    expect((await university.ask('GET /v1/endpoints', { as: 'operator' })).status).to.equal(400)
    await university.ask('PUT /v1/contacts/http/student-1', { as: 'admin' }, { address: url })
    expect(await look('person=student-1', 'student'), 'linked again').to.include({ state: 'called' })
  })
})
