import {
  type Acceptance,
  type BulkAnswer,
  type HistoryView,
  type LimitsView,
  parseHistoryKey,
} from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University, type Who } from './university.ts'

const rules = { timeZone: 'Europe/Moscow', quotas: { trainer: 4, staff: 16 } }
const message = { to: ['group:own'], text: 'Пары не будет', at: '2031-01-01T00:00:00Z' }
const teacher: Who = { as: 'trainer' }

describe('the messages of a day', () => {
  let fleet: University
  /** noon in Moscow, ahead of the clock of Redis so that nothing lapses meanwhile */
  const noon = Date.parse('2030-09-02T09:00:00Z')
  beforeEach(async () => {
    fleet = await startUniversity(rules)
    fleet.clock.now = () => noon
  })
  afterEach(() => fleet.stop())

  const send = (who: Who = teacher, more: object = {}) =>
    fleet.ask<Acceptance>('POST /v1/messages', who, { ...message, ...more })
  const left = async (who: Who = teacher) => (await fleet.ask<LimitsView>('GET /v1/limits', who)).json.left
  const issue = async () => (await fleet.ask<{ key: string }>('POST /v1/history-keys', teacher)).json.key

  it('are four for a teacher, whichever way they are sent, and the fifth is told when it will pass', async () => {
    const browser = await fleet.signIn('trainer-1')
    const ways: [Who, string][] = [
      [{ as: 'trainer' }, 'api'],
      [{ for: 'telegram:7001' }, 'bot'],
      [{ for: 'sms:8 900 111-00-01'.replaceAll(' ', '') }, 'sms'],
      [{ browser }, 'web'],
    ]
    for (const [index, [who, source]] of ways.entries()) {
      const { status, headers, json } = await send(who)
      expect([status, headers.get('quota-left')]).to.deep.equal([201, String(3 - index)])
      const history = await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, teacher)
      expect([history.json.source, history.json.sender]).to.deep.equal([source, 'trainer-1'])
    }
    for (const [who] of [...ways, [{ for: 'vk:5001' }] as const]) {
      const { status, headers, json } = await fleet.ask('POST /v1/messages', who, message)
      expect([status, json.code, json.resetsAt]).to.deep.equal([429, 'quota', '2030-09-02T21:00:00.000Z'])
      expect(headers.get('retry-after')).to.equal(String(12 * 3600))
      expect(headers.get('content-type')).to.contain('problem+json')
    }
    expect((await fleet.ask('GET /v1/limits', { for: 'telegram:7001' })).json).to.deep.equal({
      limit: 4,
      used: 4,
      left: 0,
      resetsAt: '2030-09-02T21:00:00.000Z',
    })
    expect((await send({ for: 'telegram:7006' }, { to: ['group:other'] })).status, 'another teacher').to.equal(201)
  })

  it('are never more, however many come at once and wherever', async () => {
    const browser = await fleet.signIn('trainer-1')
    const ways: Who[] = [
      teacher,
      { for: 'telegram:7001' },
      { for: 'sms:+79001110001' },
      { browser },
      { for: 'vk:5001' },
    ]
    const answers = await Promise.all(Array.from({ length: 50 }, (_unused, i) => send(ways[i % ways.length])))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([...Array(4).fill(201), ...Array(46).fill(429)])
    expect(await left()).to.equal(0)
  })

  it('are counted once, however often a call is repeated', async () => {
    const key = await issue()
    for (const status of [201, 200, 200]) {
      const answer = await fleet.ask(`PUT /v1/histories/${key}`, teacher, message)
      expect([answer.status, answer.headers.get('quota-left')]).to.deep.equal([status, '3'])
    }
    const together = await Promise.all(
      Array.from({ length: 10 }, () => fleet.ask(`PUT /v1/histories/${key}`, teacher, message)),
    )
    expect(together.map(({ status }) => status)).to.deep.equal(Array(10).fill(200))
    const idempotent = { ...teacher, headers: { 'idempotency-key': 'once' } }
    for (let i = 0; i < 3; i += 1) expect((await send(idempotent)).status).to.equal(201)
    expect(await left()).to.equal(2)
  })

  it('are counted once when only the answer was lost, even for somebody who has none left', async () => {
    const key = await issue()
    expect((await fleet.ask(`PUT /v1/histories/${key}`, teacher, message)).status).to.equal(201)
    for (let i = 0; i < 3; i += 1) await send()
    const again = await fleet.ask(`PUT /v1/histories/${key}`, teacher, message)
    expect([again.status, again.headers.get('quota-left')]).to.deep.equal([200, '0'])
  })

  it('are counted once when the call that counted died, and when the last one is put many times at once', async () => {
    for (let i = 0; i < 3; i += 1) await send()
    const key = await issue()
    await fleet.redis.zadd(keys.quota('trainer-1'), noon, key)
    expect(await left()).to.equal(0)
    const together = await Promise.all(
      Array.from({ length: 10 }, () => fleet.ask(`PUT /v1/histories/${key}`, teacher, message)),
    )
    expect(together.map(({ status }) => status).sort()).to.deep.equal([...Array(9).fill(200), 201])
    expect((await send()).status).to.equal(429)
  })

  it('are given back when cancelled before they start, once, and not after', async () => {
    const [first, second] = [(await send()).json.key, (await send()).json.key]
    for (let i = 0; i < 2; i += 1) {
      expect((await fleet.ask(`DELETE /v1/histories/${first}`, teacher)).json.outcome).to.equal('cancelled')
      expect(await left()).to.equal(3)
    }
    await fleet.redis.hset(keys.history(parseHistoryKey(second)), 'state', 'running')
    const late = await fleet.ask<{ code: string }>(`DELETE /v1/histories/${second}?unstarted=true`, teacher)
    expect([late.status, late.json.code]).to.deep.equal([409, 'already-started'])
    expect(await fleet.redis.hget(keys.history(parseHistoryKey(second)), 'cancelled')).to.equal(null)
    expect((await fleet.ask(`DELETE /v1/histories/${second}`, teacher)).json.outcome).to.equal('stopping')
    expect(await left()).to.equal(3)
  })

  it('are not taken by what is not accepted', async () => {
    const unissued = '03.trainer-1.aaaaaaaaaaaa'
    expect((await fleet.ask(`PUT /v1/histories/${unissued}`, teacher, message)).status).to.equal(404)
    expect((await send(teacher, { to: ['group:other'] })).status).to.equal(403)
    expect((await send(teacher, { to: ['group:empty'] })).status).to.equal(422)
    expect((await send(teacher, { expect: { size: 99 } })).status).to.equal(409)
    expect((await send(teacher, { at: '2001-01-01T00:00:00Z' })).status).to.equal(422)
    expect(await left()).to.equal(4)
    const key = await issue()
    const bodies = Array.from({ length: 10 }, (_unused, i) => ({ ...message, text: `No ${i}` }))
    const answers = await Promise.all(bodies.map((body) => fleet.ask(`PUT /v1/histories/${key}`, teacher, body)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)])
    expect(await left(), 'the one that was accepted counts').to.equal(3)
  })

  it('are counted line by line in a bulk call', async () => {
    const body = `${JSON.stringify(message)}\n`.repeat(6)
    const headers = { 'content-type': 'application/x-ndjson' }
    const { json } = await fleet.ask<string>('POST /v1/messages:bulk', { ...teacher, headers }, body)
    const lines = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as BulkAnswer)
    expect(lines.map(({ status }) => status).sort()).to.deep.equal([201, 201, 201, 201, 429, 429])
    expect(lines.find(({ status }) => status === 429)?.code).to.equal('quota')
  })

  it('are all there again at midnight where the fleet is', async () => {
    for (let i = 0; i < 4; i += 1) await send()
    fleet.clock.now = () => Date.parse('2030-09-02T20:59:59Z')
    const late = await send()
    expect([late.status, late.headers.get('retry-after')]).to.deep.equal([429, '1'])
    fleet.clock.now = () => Date.parse('2030-09-02T21:00:00Z')
    expect(await left()).to.equal(4)
    expect((await send()).headers.get('quota-left')).to.equal('3')
  })

  it('let a refused call be repeated later under its Idempotency-Key', async () => {
    const idempotent = { ...teacher, headers: { 'idempotency-key': 'button-17' } }
    const sent = []
    for (let i = 0; i < 4; i += 1) sent.push((await send()).json.key)
    expect((await send(idempotent)).status).to.equal(429)
    await fleet.ask(`DELETE /v1/histories/${sent[0]}`, teacher)
    expect((await send(idempotent)).status).to.equal(201)
  })

  it('that a crash has counted and nobody sent are found by whoever asks what is left', async () => {
    const quota = keys.quota('trainer-1')
    const cancelled = (await send()).json.key
    await fleet.ask(`DELETE /v1/histories/${cancelled}`, teacher)
    // a cancel and two calls that died just after counting, one of them a moment ago
    await fleet.redis.zadd(quota, noon - 1, cancelled)
    await fleet.redis.zadd(
      quota,
      noon - 301_000,
      '00.trainer-1.aaaaaaaaaaaa',
      noon - 299_000,
      '00.trainer-1.bbbbbbbbbbbb',
    )
    expect(await left()).to.equal(3)
    for (const status of [201, 201, 201, 429]) expect((await send()).status).to.equal(status)
    expect(await fleet.redis.zscore(quota, '00.trainer-1.bbbbbbbbbbbb')).not.to.equal(null)
  })

  it('are sixteen for staff, and not counted for those above', async () => {
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'staff' })).json).to.include({ limit: 16, left: 16 })
    for (const as of ['operator', 'admin'] as const) {
      const answer = await send({ as })
      expect([answer.status, answer.headers.get('quota-left')]).to.deep.equal([201, null])
      const none = { limit: null, used: null, left: null, resetsAt: null }
      expect((await fleet.ask('GET /v1/limits', { as })).json).to.deep.equal(none)
      expect(await fleet.redis.exists(keys.quota(`${as}-1`))).to.equal(0)
    }
  })
})
