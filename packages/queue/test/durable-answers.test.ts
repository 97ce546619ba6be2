import { serviceView } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { type OwnSentinel, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectQueueRedis } from '../src/index.ts'
import { far, type Service, startService } from './service.ts'

describe('changes, where a replica has to have them', () => {
  let servers: OwnSentinel
  let service: Service
  const rules = { timeZone: 'Europe/Moscow', quotas: {} }
  const body = { text: 'lecture', to: ['group:own'], at: far }
  const send = (key: string) =>
    service.call('/v1/messages', { method: 'POST', as: 'trainer', body, headers: { 'idempotency-key': key } })
  /** As whoever is answered 503 makes the call again; of one that Redis has not answered the mark may have come after all, and lapses by itself. */
  const sent = (key: string) =>
    until(async () => {
      const answer = await send(key)
      return answer.status < 500 && answer.json.code !== 'in-progress' && answer
    }, 'replicas answer')
  /** undefined while Redis itself is away */
  const isConfirmed = async () => {
    const { status, json } = await service.call('/v1/service', { as: 'operator' })
    return status < 500 ? serviceView.parse(json).redis.isConfirmed : undefined
  }
  /** On a busy machine Redis itself may be late. */
  const refusedAs = (call: () => ReturnType<typeof send>, code: string) =>
    until(async () => {
      const answer = await call()
      if (answer.json.code === 'in-progress') return
      expect(answer.status).to.equal(503)
      return answer.json.code === code && answer
    }, code)

  before(async () => {
    servers = await ownSentinel({ lines: true })
    const master = await servers.master()
    service = await startService(
      { redis: master.redis(), url: servers.url },
      rules,
      silentLog,
      connectQueueRedis,
      'replica',
    )
  })
  after(async () => {
    await service?.stop()
    await servers?.stop()
  })

  it('are answered once a replica has them; the level is told', async () => {
    expect((await sent('first')).status).to.equal(201)
    const ready = await until(async () => {
      const answer = await service.call('/readyz')
      return answer.status < 500 && answer
    }, 'it is ready')
    expect(ready.json).to.deep.equal({ status: 'ok', durability: 'replica' })
    expect(await isConfirmed()).to.equal(true)
  })

  it('are answered 503 while none has; the same call again is done once, whatever becomes of the master', async () => {
    const acknowledged = (await sent('first')).json.key as string
    const master = await servers.master()
    master.line.hold()
    const refused = await refusedAs(() => send('second'), 'not-durable')
    expect(refused.json.detail).to.match(/may still be lost; make the same call again/)
    expect(refused.headers['retry-after']).to.equal('2')
    const group = { method: 'PUT', as: 'admin', body: { name: 'Held', owners: ['trainer-1'] } } as const
    await refusedAs(() => service.call('/v1/groups/held', group), 'not-durable')
    await refusedAs(() => service.call('/readyz'), 'not-durable')
    await until(async () => (await isConfirmed()) === false, 'operators are told')
    // whoever only asks is answered
    expect((await service.call(`/v1/histories/${acknowledged}`, { as: 'trainer' })).status).to.equal(200)

    await master.kill()
    // the replica that was behind takes over
    const again = await sent('second')
    expect(again.status).to.equal(201)
    expect((await sent('second')).json.key).to.equal(again.json.key)
    expect((await service.history(acknowledged)).state).to.equal('scheduled')
    expect((await service.history(again.json.key as string)).state).to.equal('scheduled')
  })
})
