/** Slips of the pen that would leave a message waiting for ever: a channel there is none of, a year that is wrong. */
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('a slip of the pen', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const message = { to: ['group:own'], text: 'Hello', at: far }
  const post = (path: string, body: object) => service.call(path, { method: 'POST', as: 'trainer', body })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

  it('in the name of a channel is refused with the name that was meant, and those there are', async () => {
    for (const path of ['/v1/messages', '/v1/audiences:resolve']) {
      const body = path === '/v1/messages' ? message : { to: ['group:own'] }
      const { status, json } = await post(path, { ...body, channels: ['sms', 'telgram'] })
      expect([path, status, json.code, json.field]).to.deep.equal([path, 422, 'unknown-channel', 'channels.1'])
      const detail =
        'there is no channel "telgram"; did you mean telegram? There are http, mail, push, sms, telegram, vk'
      expect(json.detail).to.equal(detail)
    }
    const { json } = await post('/v1/messages', { ...message, channels: ['pigeon'] })
    expect(json.detail).to.equal('there is no channel "pigeon". There are http, mail, push, sms, telegram, vk')
    expect((await post('/v1/messages', { ...message, channels: ['mail'] })).status).to.equal(201)
    expect((await service.call('/readyz')).status).to.equal(200)
  })

  it('in a year is refused: `at`, `expires`, and a new time', async () => {
    for (const [body, field] of [
      [{ ...message, at: '9999-01-01T00:00:00Z' }, 'at'],
      [{ ...message, at: inDays(367) }, 'at'],
      [{ ...message, at: 'now', expires: inDays(367) }, 'expires'],
    ] as const) {
      const { status, json } = await post('/v1/messages', body)
      expect([status, json.code, json.field]).to.deep.equal([422, 'too-far', field])
      expect(json.detail).to.match(/^\S+ is more than a year ahead$/)
    }
    const key = await service.send({ at: inDays(365), expires: inDays(365.5) })
    const moved = await service.call(`/v1/histories/${key}`, {
      method: 'PATCH',
      as: 'trainer',
      body: { at: inDays(400) },
    })
    expect([moved.status, moved.json.code]).to.deep.equal([422, 'too-far'])
  })
})
