import type {
  AuditPage,
  HistoryView,
  LimitsView,
  ReceiptsPage,
  RecountReport,
  RetryOutcome,
} from '@courier-fleet/api-types'
import { memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const day = 86_400_000

describe('those whose endpoint took it in no try', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 10 } })
  })
  after(() => fleet.stop())

  /** Of anna, boris and clara, a state and a reason each; it has expired, and settled just now. */
  async function settledByHttp(receipts: string, reasons: string): Promise<string> {
    const { json } = await fleet.ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'Hi' },
    )
    const ref = parseHistoryKey(json.key)
    const now = Date.now()
    const counters: Record<string, number> = {}
    for (const byte of receipts) counters[`http:${byte}`] = (counters[`http:${byte}`] ?? 0) + 1
    await fleet.redis
      .multi()
      .set(keys.receipts(ref, 'http'), receipts)
      .set(keys.reasons(ref, 'http'), reasons)
      .hset(keys.history(ref), {
        expected: 'http',
        state: 'settled',
        started: now - 9,
        settled: now,
        'http:settled': now,
      })
      .hset(keys.history(ref), { ...counters, 'http:open': 0, expires: now - 1 })
      .zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
      .exec()
    return json.key
  }

  const retry = (key: string, body: object = {}, as: Parameters<University['ask']>[1] = { as: 'trainer' }) =>
    fleet.ask<RetryOutcome & { code?: string; field?: string }>(`POST /v1/histories/${key}:retry`, as, body)
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json
  const set = (key: string, fields: Record<string, number | string>) =>
    fleet.redis.hset(keys.history(parseHistoryKey(key)), fields)

  it('are pending again, they alone and once, until a day from now: the message runs again, and costs no quota', async () => {
    const key = await settledByHttp('ffs', 'WC\0')
    const { used } = (await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json
    const calls = await Promise.all([retry(key), retry(key), retry(key)])
    // whoever asks while it runs again already is told so
    for (const { status, json } of calls)
      expect([status, json.code]).to.be.deep.oneOf([
        [202, undefined],
        [409, 'in-progress'],
      ])
    expect(
      calls.reduce((sum, { json }) => sum + (json.people ?? 0), 0),
      'once',
    ).to.equal(1)

    const now = await history(key)
    expect(now.state).to.equal('running')
    expect(now.channels.http).to.include({ state: 'running', failed: 1, pending: 1, sent: 1 })
    expect(now.waiting?.map(({ people, channel, cause }) => [people, channel, cause])).to.deep.equal([
      [1, 'http', 'not-taken'],
    ])
    expect(Date.parse(now.expires as string)).to.be.within(Date.now() + day - 60_000, Date.now() + day)
    const { receipts } = (await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts`, { as: 'trainer' })).json
    expect(receipts[0]?.channels.http).to.include({ state: 'pending' }).and.not.have.any.keys('reason', 'at')
    expect(receipts[1]?.channels.http, 'of another reason').to.include({ state: 'failed' })
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json.used).to.equal(used)
    const recount = await fleet.ask<RecountReport>(`GET /v1/histories/${key}/recount`, { as: 'trainer' })
    expect(recount.json.balanced).to.equal(true)
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=3', { as: 'operator' })).json
    expect(lines.map(({ action, by, channel, detail }) => [action, by, channel, detail])).to.deep.include([
      'receipts.retried',
      'trainer-1',
      'http',
      '1',
    ])
  })

  it('are tried until then, if it is said when, and never for less long than the message had', async () => {
    const key = await settledByHttp('ffs', 'WC\0')
    const expires = new Date(Date.now() + 5 * day).toISOString()
    expect((await retry(key, { expires })).json.people).to.equal(1)
    // as of more than are tried again in one step
    await fleet.redis.setrange(keys.reasons(parseHistoryKey(key), 'http'), 1, 'W')
    expect((await retry(key)).json.people).to.equal(1)
    const now = await history(key)
    expect(now.expires).to.equal(expires)
    expect(now.waiting?.map(({ people }) => people)).to.deep.equal([2])
    expect(now.channels.http).to.include({ failed: 0, pending: 2, sent: 1 })
    const refused = await retry(key, { expires: new Date(Date.now() - 1).toISOString() })
    expect([refused.status, refused.json.code, refused.json.field]).to.deep.equal([422, 'expires-before-at', 'expires'])
  })

  it('are tried again by the sender and operators, nobody else', async () => {
    const key = await settledByHttp('fss', 'W\0\0')
    for (const who of [{ as: 'staff' }, { for: 'telegram:7001' }, { as: 'inbound' }] as const)
      expect((await retry(key, {}, who)).status, JSON.stringify(who)).to.equal(403)
    expect((await retry(key, {}, { as: 'operator' })).json.people).to.equal(1)
  })

  it('are left alone before the message has settled, a fortnight after that, and once it was cancelled', async () => {
    const key = await settledByHttp('fss', 'W\0\0')
    const refusal = async () => {
      const { status, json } = await retry(key)
      return [status, json.code]
    }
    await set(key, { state: 'running' })
    expect(await refusal()).to.deep.equal([409, 'in-progress'])
    await set(key, { state: 'settled', settled: Date.now() - 14 * day - 1000 })
    expect(await refusal()).to.deep.equal([409, 'has-expired'])
    await set(key, { settled: Date.now() - 14 * day + 60_000, cancelled: Date.now() })
    expect(await refusal()).to.deep.equal([409, 'was-cancelled'])
    await fleet.redis.hdel(keys.history(parseHistoryKey(key)), 'cancelled')
    expect((await retry(key)).json.people).to.equal(1)
  })
})
