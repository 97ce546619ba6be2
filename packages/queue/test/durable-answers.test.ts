import { silentLog } from '@courier-fleet/process'
import { type OwnSentinel, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('changes, where a replica has to have them', () => {
  let servers: OwnSentinel
  let service: Service
  const rules = { timeZone: 'Europe/Moscow', quotas: {} }
  const body = { text: 'lecture', to: ['group:own'], at: far }
  const send = (key: string) =>
    service.call('/v1/messages', { method: 'POST', as: 'trainer', body, headers: { 'idempotency-key': key } })

  before(async () => {
    servers = await ownSentinel({ lines: true })
    const master = await servers.master()
    service = await startService({ redis: master.redis(), url: servers.url }, rules, silentLog, 'replica')
  })
  after(async () => {
    await service?.stop()
    await servers?.stop()
  })

  it('are answered once a replica has them; the level is told', async () => {
    const answer = await send('first')
    expect(answer.status).to.equal(201)
    expect((await service.call('/readyz')).json).to.deep.equal({ status: 'ok', durability: 'replica' })
  })

  it('are answered 503 while none has; the same call again is done once, whatever becomes of the master', async () => {
    const acknowledged = (await send('first')).json.key as string
    const master = await servers.master()
    master.line?.hold()
    const refused = await send('second')
    expect([refused.status, refused.json.code]).to.deep.equal([503, 'not-durable'])
    expect(refused.json.detail).to.match(/may still be lost; make the same call again/)
    expect(refused.headers['retry-after']).to.equal('2')
    const group = { method: 'PUT', as: 'admin', body: { name: 'Held', owners: ['trainer-1'] } } as const
    expect((await service.call('/v1/groups/held', group)).json.code).to.equal('not-durable')
    expect((await service.call('/readyz')).json.code).to.equal('not-durable')
    // whoever only asks is answered
    expect((await service.call(`/v1/histories/${acknowledged}`, { as: 'trainer' })).status).to.equal(200)

    await master.kill()
    const again = await until(async () => {
      const answer = await send('second')
      // of a call that Redis has not answered the mark may have come after all, and lapses by itself
      return answer.status < 500 && answer.json.code !== 'in-progress' && answer
    }, 'the replica that was behind has taken over')
    expect(again.status).to.equal(201)
    expect((await send('second')).json.key).to.equal(again.json.key)
    expect((await service.history(acknowledged)).state).to.equal('scheduled')
    expect((await service.history(again.json.key as string)).state).to.equal('scheduled')
  })
})
