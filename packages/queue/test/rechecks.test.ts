/** Addresses that are asked before a message is sent, as the API accepts and shows them. */
import type { Acceptance, HistoryView, RehearsalView } from '@courier-fleet/api-types'
import { Problem } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { requireAllowedRecheck } from '../src/acceptance/check-recheck.ts'
import { createWebhooks } from '../src/subscriptions/webhooks.ts'
import { far, type Service, startService } from './service.ts'

const url = 'https://timetable.example.org/still-on?lesson=17'

describe('a recheck', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  const send = (as: 'trainer' | 'staff', recheck: object) =>
    service.call<Acceptance & { code: string; detail: string }>('/v1/messages', {
      method: 'POST',
      as,
      body: { to: ['group:own'], text: 'Лаба в 18:10', at: far, recheck },
    })

  it('is accepted, planned and shown, and its sender has a secret by then', async () => {
    const { status, json } = await send('staff', { url })
    expect(status).to.equal(201)
    expect(json.plan?.recheck).to.equal('timetable.example.org')
    expect(await service.redis.exists('webhook-secrets:staff-1')).to.equal(1)
    const shown = await service.call<HistoryView>(`/v1/histories/${json.key}`, { as: 'staff' })
    const counts = { asked: 0, ok: 0, error: 0, silent: 0 }
    expect(shown.json.recheck).to.deep.equal({ url, per: 'message', onSilence: 'hold', ...counts })
    expect((await send('staff', { url, per: 'recipient', onSilence: 'drop' })).status).to.equal(201)
    const without = await service.send()
    expect((await service.history(without)).recheck).to.equal(undefined)
  })

  it('is rehearsed, without anybody being asked', async () => {
    const body = { to: ['group:own'], recheck: { url } }
    const { json } = await service.call<RehearsalView>('/v1/audiences:resolve', { method: 'POST', as: 'staff', body })
    expect(json.plan?.recheck).to.equal('timetable.example.org')
    const refused = await service.call('/v1/audiences:resolve', { method: 'POST', as: 'trainer', body })
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'unlisted-host'])
  })

  for (const wrong of ['http://10.0.0.7/', 'https://[::1]/', 'https://a:b@example.org/', 'ftp://example.org/', 'ok'])
    it(`is refused where the address is ${wrong}`, async () => {
      const { status, json } = await send('staff', { url: wrong })
      expect([status, json.code]).to.deep.equal([422, 'refused-url'])
      expect(json.detail).to.match(/^recheck\.url must /)
    })

  it('of a trainer may ask hosts alone that operators have listed', async () => {
    const refused = await send('trainer', { url })
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'unlisted-host'])
    expect(refused.json.detail).to.equal(
      'timetable.example.org may not be asked for messages of a trainer, but none: operators have listed no host',
    )
    await service.set({ recheckHosts: ['timetable.example.org'] })
    expect((await send('trainer', { url })).status).to.equal(201)
    expect((await send('trainer', { url: 'https://example.org/' })).json.detail).to.contain(
      'one of timetable.example.org',
    )
  })

  it('needs something to sign with', () => {
    const asked = () =>
      requireAllowedRecheck(
        createWebhooks({}),
        { recheckHosts: [] },
        { url, per: 'message', onSilence: 'hold' },
        { owner: 'dean', role: 'staff' },
      )
    expect(asked).to.throw(Problem).with.property('code', 'no-fleet-secret')
  })
})
