import { createHash } from 'node:crypto'
import { acceptance, historiesPage, historyView, trackerReport } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('sending a message', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const issue = async () =>
    (await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as: 'trainer' })).json.key
  const put = (key: string, body: object) =>
    service.call(`/v1/histories/${key}`, { method: 'PUT', as: 'trainer', body })
  const body = { to: ['group:own'], text: 'Hello', at: far }
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const sooner = days(200)
  const sha256 = createHash('sha256').update('anna\nboris\nclara').digest('hex')

  it('issues a key first, and accepts the message under it', async () => {
    const key = await issue()
    expect((await service.history(key)).state).to.equal('issued')
    const answer = await put(key, body)
    expect(answer.status).to.equal(201)
    const accepted = acceptance.parse(answer.json)
    expect(accepted).to.include({ key, at: new Date(far).toISOString() })
    expect(accepted.audience).to.deep.equal({ size: 3, sha256 })
    const view = historyView.parse(await service.history(key))
    expect(view).to.include({ state: 'scheduled', sender: 'trainer-1', text: 'Hello', source: 'api' })
  })

  for (const [what, more] of [
    ['now', { at: undefined }],
    ['after so many seconds', { at: undefined, in: 600 }],
    ['with an end', { expires: new Date(Date.parse(far) + 3_600_000).toISOString() }],
    ['with a forecast', { forecast: true }],
    ['to URLs', { to: ['url:https://example.org/one', 'url:https://example.org/two'] }],
  ] as const) {
    it(`answers a message ${what} from what is known, as whoever reads it is answered`, async () => {
      const admin = { as: 'admin' } as const
      const { json } = await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', ...admin })
      const putOnce = () =>
        service.call(`/v1/histories/${json.key}`, { method: 'PUT', ...admin, body: { ...body, ...more } })
      const [first, again] = [await putOnce(), await putOnce()]
      expect([first.status, again.status]).to.deep.equal([201, 200])
      expect(again.json).to.deep.equal(acceptance.parse(first.json))
    })
  }

  it('answers the same body again with the same answer, and another with 409', async () => {
    const key = await issue()
    const first = await put(key, body)
    const again = await put(key, { at: far, text: 'Hello', to: ['group:own'] })
    expect(again.status).to.equal(200)
    expect(again.json).to.deep.equal(first.json)
    const other = await put(key, { ...body, text: 'Hello!' })
    expect(other.status).to.equal(409)
    expect(other.json.code).to.equal('another-body')
  })

  it('repeats the answer although the directory is another by now and `at` has passed', async () => {
    const key = await issue()
    const soon = { to: ['group:own'], text: 'Hello', at: new Date(Date.now() + 30_000).toISOString() }
    const first = await put(key, soon)
    await service.directory.removeMembers('own', ['clara'])
    const now = service.clock.now
    service.clock.now = () => Date.now() + 86_400_000
    try {
      const again = await put(key, soon)
      expect(again.status).to.equal(200)
      expect(again.json).to.deep.equal(first.json)
    } finally {
      service.clock.now = now
      await service.directory.addMembers('own', ['clara'])
    }
  })

  it('accepts only keys that were issued', async () => {
    const key = await issue()
    const answer = await put(
      key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      body,
    )
    expect([answer.status, answer.json.code]).to.deep.equal([404, 'unknown-key'])
  })

  it('takes an `at` a little in the past for now, and refuses one further back', async () => {
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
    const late = await service.call('/v1/messages', {
      method: 'POST',
      as: 'trainer',
      body: { ...body, at: ago(30_000) },
    })
    expect(late.status).to.equal(201)
    const past = await service.call('/v1/messages', {
      method: 'POST',
      as: 'trainer',
      body: { ...body, at: ago(90_000) },
    })
    expect([past.status, past.json.code, past.json.field]).to.deep.equal([422, 'past-at', 'at'])
  })

  it('understands offsets', async () => {
    const day = far.slice(0, 10)
    const key = await service.send({ at: `${day}T03:00:00+03:00` })
    expect((await service.history(key)).at).to.equal(`${day}T00:00:00.000Z`)
  })

  it('refuses a message whose audience is not the expected one, saying both sizes', async () => {
    const attempt = (expected: object) =>
      service.call('/v1/messages', { method: 'POST', as: 'trainer', body: { ...body, expect: expected } })
    const size = await attempt({ size: 4 })
    expect([size.status, size.json.code, size.json.field]).to.deep.equal([409, 'audience-mismatch', 'expect.size'])
    expect(size.json.detail).to.match(/\b3\b.*\b4\b/)
    const hash = await attempt({ sha256: 'a'.repeat(64) })
    expect([hash.status, hash.json.field]).to.deep.equal([409, 'expect.sha256'])
    expect((await attempt({ size: 3, sha256 })).status).to.equal(201)
  })

  for (const to of [['group:own'], ['url:https://example.org/one']])
    it(`for ${to} when somebody is online expires seven days after it is due, whenever it is moved to, unless it says when`, async () => {
      const areUrls = to[0] !== 'group:own'
      const online = { to, text: 'Hello', at: days(10), whenOnline: areUrls ? 'anna' : true }
      const as = areUrls ? 'admin' : 'trainer'
      const send = async (more: object) => {
        const { json } = await service.call<{ key: string }>('/v1/messages', {
          method: 'POST',
          as,
          body: { ...online, ...more },
        })
        return json.key
      }
      const move = (key: string, at: string) =>
        service.call<{ code?: string; at: string; expires: string }>(`/v1/histories/${key}`, {
          method: 'PATCH',
          as,
          body: { at },
        })
      const lasting = await send({})
      for (const at of [days(16), days(18), days(2)]) {
        const { status, json } = await move(lasting, at)
        expect([status, json.at]).to.deep.equal([200, at])
        expect(Date.parse(json.expires) - Date.parse(json.at)).to.equal(7 * 86_400_000)
      }
      const expires = days(17)
      const ending = await send({ expires })
      expect((await move(ending, days(16))).json.expires).to.equal(expires)
      const late = await move(ending, days(18))
      expect(late.status).to.equal(422)
    })

  it('reschedules and cancels until it starts', async () => {
    const key = await service.send()
    const moved = await service.call(`/v1/histories/${key}`, {
      method: 'PATCH',
      as: 'trainer',
      body: { at: sooner },
    })
    expect(moved.json.at).to.equal(sooner)
    const cancel = () => service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })
    expect((await cancel()).json).to.deep.equal({ key, outcome: 'cancelled' })
    expect((await cancel()).json).to.deep.equal({ key, outcome: 'cancelled' })
    const late = await service.call(`/v1/histories/${key}`, { method: 'PATCH', as: 'trainer', body: { at: far } })
    expect([late.status, late.json.code]).to.deep.equal([409, 'already-started'])
  })

  it('refuses a new time after its expiry', async () => {
    const key = await service.send({ at: days(100), expires: sooner })
    const answer = await service.call(`/v1/histories/${key}`, { method: 'PATCH', as: 'trainer', body: { at: far } })
    expect([answer.status, answer.json.field]).to.deep.equal([422, 'at'])
  })

  it('tells what is known at the timeout, and at once when it is over', async () => {
    const key = await service.send()
    const track = (timeout: number) =>
      service.call(`/v1/histories/${key}/tracker`, { method: 'POST', as: 'trainer', body: { timeout } })
    const open = trackerReport.parse((await track(0.05)).json)
    expect(open).to.include({ settled: false, ending: 'nothing' })
    const waiting = track(60)
    await service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })
    expect(trackerReport.parse((await waiting).json).settled).to.equal(true)
  })

  it('waits in the call itself when asked to', async () => {
    const answer = await service.call('/v1/messages?wait=0.05s', { method: 'POST', as: 'trainer', body })
    expect(answer.status).to.equal(202)
    expect(trackerReport.parse(answer.json).history.state).to.equal('scheduled')
  })

  it('lists a sender’s own messages newest first, page by page, losing none of one millisecond', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `${JSON.stringify({ ...body, text: `message ${index}` })}\n`,
    )
    const bulk = await service.call('/v1/messages:bulk', {
      method: 'POST',
      as: 'trainer',
      body: lines.join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const keys = bulk.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { key: string }).key)
    const seen: string[] = []
    for (let next: string | undefined = String(Number.MAX_SAFE_INTEGER); next !== undefined; ) {
      const { json } = await service.call(`/v1/histories?limit=5&before=${next}`, { as: 'trainer' })
      const page = historiesPage.parse(json)
      seen.push(...page.histories.map(({ key }) => key))
      next = page.next
    }
    expect(new Set(seen).size).to.equal(seen.length)
    expect(seen).to.include.members(keys)
    expect((await service.call<{ histories: unknown[] }>('/v1/histories', { as: 'staff' })).json.histories).to.be.empty
  })

  it('recounts', async () => {
    const key = await service.send()
    const { json } = await service.call(`/v1/histories/${key}/recount`, { as: 'trainer' })
    expect(json).to.deep.equal({ balanced: true, channels: [] })
  })
})
