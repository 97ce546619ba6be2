import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }

describe('bodies and paths', () => {
  let service: Service
  let url: string
  before(async () => {
    service = await startService()
    url = await service.listen()
  })
  after(() => service.stop())

  const headers = () => ({ authorization: `Bearer ${service.keyOf.trainer}`, 'content-type': 'application/json' })
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

  it('refuses a 50 MB body at once, and lives', async () => {
    const body = `{"to":["group:own"],"text":"${'x'.repeat(50 * 1_048_576)}"}`
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: headers(), body })
    expect(await codeOf(response)).to.deep.equal([413, 'too-large'])
    expect((await fetch(`${url}/healthz`)).status).to.equal(200)
  })

  it('refuses it before it has come, when its length is told', async () => {
    const outgoing = request(`${url}/v1/messages`, {
      method: 'POST',
      headers: { ...headers(), 'content-length': 50 * 1_048_576 },
    })
    outgoing.on('error', () => {})
    outgoing.flushHeaders()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(413)
    outgoing.destroy()
  })

  it('refuses it in chunks of unknown length as soon as it is too long', async () => {
    const outgoing = request(`${url}/v1/messages`, { method: 'POST', headers: headers() })
    outgoing.on('error', () => {})
    outgoing.write('{"text":"')
    outgoing.write('x'.repeat(300_000))
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(413)
    outgoing.destroy()
  })

  it('refuses numbers for programs that would not arrive as they were written, and takes all others', async () => {
    const send = async (number: string) => {
      const body = `{"to":["group:own"],"text":"Hello","at":"${far}","data":{"seats":[{"no":${number}}]}}`
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: headers(), body })
      const { code, field, key } = (await response.json()) as { code?: string; field?: string; key?: string }
      return [response.status, code ?? (key && 'accepted'), field]
    }
    for (const number of ['9007199254740993', '-9007199254740993', '12345678901234567890', '1e999', '-1e999'])
      expect(await send(number), number).to.deep.equal([422, 'invalid', 'data'])
    for (const number of ['9007199254740991', '-9007199254740991', '0.25', '1e3', '"9007199254740993"'])
      expect(await send(number), number).to.deep.equal([201, 'accepted', undefined])
  })

  it('refuses a roster of more than 32 MiB', async () => {
    const outgoing = request(`${url}/v1/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.keyOf.admin}`,
        'content-type': 'text/csv',
        'content-length': 33 * 1_048_576,
      },
    })
    outgoing.on('error', () => {})
    outgoing.flushHeaders()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(413)
    outgoing.destroy()
  })

  it('takes the longest text there may be', async () => {
    const answer = await service.call('/v1/messages', {
      method: 'POST',
      as: 'trainer',
      body: { ...message, text: 'я'.repeat(20_000) },
    })
    expect(answer.status).to.equal(201)
  })

  for (const broken of ['{', '{"to":', 'to=group', '{"text":"\u0001"}', '{"__proto__":{"a":1}}']) {
    it(`says that ${JSON.stringify(broken)} is not JSON`, async () => {
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: headers(), body: broken })
      expect(await codeOf(response)).to.deep.equal([400, 'bad-json'])
    })
  }

  it('says that an empty body is not JSON', async () => {
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: headers(), body: '' })
    expect((await codeOf(response))[0]).to.be.oneOf([400, 422])
  })

  for (const type of ['text/plain', 'text/csv', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
    it(`does not take ${type}`, async () => {
      const response = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: { ...headers(), 'content-type': type },
        body: JSON.stringify(message),
      })
      expect(await codeOf(response)).to.deep.equal([415, 'unsupported-media-type'])
    })
  }

  it('tells an unknown path from a wrong method', async () => {
    expect(await codeOf(await fetch(`${url}/v1/nothing`))).to.deep.equal([404, 'no-such-route'])
    const wrong = await fetch(`${url}/v1/messages`, { method: 'DELETE' })
    expect(wrong.headers.get('allow')).to.equal('POST')
    expect(await codeOf(wrong)).to.deep.equal([405, 'wrong-method'])
    const bulk = await fetch(`${url}/v1/messages:bulk`)
    expect(await codeOf(bulk)).to.deep.equal([405, 'wrong-method'])
    const history = await fetch(`${url}/v1/histories/00.a.bbbbbbbb`, { method: 'POST' })
    expect(history.headers.get('allow')).to.equal('PUT, GET, PATCH, DELETE')
    await history.body?.cancel()
  })

  it('refuses a path that is not validly encoded', async () => {
    expect(await codeOf(await fetch(`${url}/v1/people/%E0%A4%A`))).to.deep.equal([400, 'bad-url'])
  })

  it('outlives a client that does not speak HTTP', async () => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.end('\x16\x03\x01 this is no HTTP\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    expect((await fetch(`${url}/healthz`)).status).to.equal(200)
  })

  it('tells nothing of its inside', async () => {
    await service.redis.set(keys.personIds(0), 'of the wrong type')
    const answer = await service.call('/v1/people', { as: 'admin' })
    expect([answer.status, answer.json.code]).to.deep.equal([500, 'internal'])
    expect(answer.text).not.to.match(/WRONGTYPE|redis|at /i)
    await service.redis.del(keys.personIds(0))
  })
})
