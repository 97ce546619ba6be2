import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditPage, DecisionOutcome, HistoryView, LimitsView, ReceiptsPage } from '@courier-fleet/api-types'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const dayMs = 86_400_000

describe('receipts that are unknown', () => {
  const dir = mkdtempSync(join(tmpdir(), 'files-'))
  let fleet: University
  before(async () => {
    const files = { dir, keptMs: 3 * dayMs, bytesADay: {} }
    const publicUrl = 'https://fleet.example'
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 20 }, publicUrl, files })
  })
  after(async () => {
    await fleet.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Of anna and boris nobody knows. */
  const settled = () => fleet.settledBySms('uud')
  const resolve = (key: string, body: object, as: Parameters<University['ask']>[1] = { as: 'trainer' }) =>
    fleet.ask<DecisionOutcome & { code?: string }>(`POST /v1/histories/${key}/receipts:resolve`, as, body)
  const resend = (key: string, body: object, as: Parameters<University['ask']>[1] = { as: 'trainer' }) =>
    fleet.ask<DecisionOutcome & { code?: string }>(`POST /v1/histories/${key}/receipts:resend`, as, body)
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json
  const audit = async () => (await fleet.ask<AuditPage>('GET /v1/audit?limit=10', { as: 'operator' })).json.lines
  const decided = ({ decisions }: HistoryView) => decisions?.map(({ at: _, ...decision }) => decision)

  it('are settled by the word of the sender, person by person, and it is said whose word it was', async () => {
    const key = await settled()
    const { status, json } = await resolve(key, { channel: 'sms', people: ['anna', 'clara'], outcome: 'delivered' })
    expect([status, json]).to.deep.equal([200, { key, channel: 'sms', people: 1 }])
    await resolve(key, { channel: 'sms', people: 'all', outcome: 'failed' })

    const now = await history(key)
    expect(now.channels.sms).to.include({ delivered: 2, failed: 1, unknown: 0 })
    expect(now.people).to.include({ delivered: 2, notDelivered: 1, unknown: 0 })
    expect(now.people?.why).to.deep.equal({ 'told-failed': 1 })
    expect(decided(now)).to.deep.equal([
      { decision: 'told-delivered', channel: 'sms', by: 'trainer-1', people: 1 },
      { decision: 'told-failed', channel: 'sms', by: 'trainer-1', people: 1 },
    ])
    const { receipts } = (await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts`, { as: 'trainer' })).json
    expect(receipts[0]?.channels.sms).to.include({ state: 'delivered', reason: 'told-delivered', toldBy: 'trainer-1' })
    expect(receipts[2]?.channels.sms, 'who was not unknown is left alone').to.not.have.property('toldBy')
    const [last, first] = await audit()
    expect(first).to.include({
      action: 'receipts.resolved',
      by: 'trainer-1',
      via: 'api',
      channel: 'sms',
      history: key,
      detail: '1 delivered',
    })
    expect(last).to.include({ action: 'receipts.resolved', history: key, detail: '1 failed' })
  })

  it('are sent to again where somebody decides so: the message runs again, says why, and costs no quota', async () => {
    const key = await settled()
    const { used } = (await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json
    const { status, json } = await resend(key, { channel: 'sms', people: 'all' })
    expect([status, json]).to.deep.equal([202, { key, channel: 'sms', people: 2 }])
    const now = await history(key)
    expect(now.state).to.equal('running')
    expect(now.channels.sms).to.include({ state: 'running', unknown: 2, delivered: 1, pending: 0 })
    expect(now.waiting?.map(({ people, channel, cause }) => [people, channel, cause])).to.deep.equal([
      [2, 'sms', 'sent-again'],
    ])
    expect(decided(now)).to.deep.equal([{ decision: 'sent-again', channel: 'sms', by: 'trainer-1', people: 2 }])
    expect((await audit())[0]).to.include({ action: 'receipts.sent-again', by: 'trainer-1', history: key, detail: '2' })
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json.used).to.equal(used)
    expect((await resend(key, { channel: 'sms', people: 'all' })).json.people, 'once for each decision').to.equal(0)

    // somebody finds out before it is sent
    await resolve(key, { channel: 'sms', people: ['anna'], outcome: 'delivered' })
    expect((await history(key)).channels.sms).to.include({ unknown: 1, delivered: 2 })
  })

  it('are decided about by the sender and operators, nobody else', async () => {
    const key = await settled()
    const found = { channel: 'sms', people: ['anna'], outcome: 'delivered' }
    for (const who of [{ as: 'staff' }, { for: 'telegram:7001' }, { as: 'inbound' }] as const) {
      for (const { status } of [
        await resolve(key, found, who),
        await resend(key, { channel: 'sms', people: 'all' }, who),
      ])
        expect(status, JSON.stringify(who)).to.equal(403)
    }
    expect((await resolve(key, found, { as: 'operator' })).json.people).to.equal(1)
    expect((await resend(key, { channel: 'sms', people: ['boris'] }, { as: 'admin' })).json.people).to.equal(1)
    expect(decided(await history(key))?.map(({ by }) => by)).to.have.members(['operator-1', 'admin-1'])
  })

  it('are named rightly, or the call says what would be right', async () => {
    const key = await settled()
    const refused = async (answer: ReturnType<typeof resolve>) => {
      const { status, json } = await answer
      return [status, json.code]
    }
    const outcome = 'failed'
    expect(await refused(resolve(key, { channel: 'vk', people: 'all', outcome }))).to.deep.equal([
      422,
      'unknown-channel',
    ])
    expect(await refused(resolve(key, { channel: 'sms', people: ['dmitri'], outcome }))).to.deep.equal([
      422,
      'not-in-audience',
    ])
    expect(await refused(resolve(key, { channel: 'sms', people: 'all' }))).to.deep.equal([422, 'invalid'])
    await fleet.redis.hset(keys.history(parseHistoryKey(key)), 'expires', Date.now() - 1)
    expect(await refused(resend(key, { channel: 'sms', people: 'all' }))).to.deep.equal([409, 'has-expired'])
    await fleet.redis.hset(keys.history(parseHistoryKey(key)), 'cancelled', Date.now())
    expect(await refused(resend(key, { channel: 'sms', people: 'all' }))).to.deep.equal([409, 'was-cancelled'])
  })

  it('are not sent to again where the files of the message end first', async () => {
    const { json: file } = await fleet.call<{ id: string }>('/v1/files?name=plan.txt', {
      method: 'POST',
      as: 'trainer',
      body: 'Room 7',
      headers: { 'content-type': 'application/octet-stream' },
    })
    const key = await fleet.settledBySms('uud', { files: [file.id] })
    const retry = () => fleet.ask<{ code?: string }>(`POST /v1/histories/${key}:retry`, { as: 'trainer' }, {})
    const { now } = fleet.clock
    // kept for three days after the day in which it may be sent, and whatever is sent again takes a day
    fleet.clock.now = () => now() + 3 * dayMs + 60_000
    try {
      const late = await resend(key, { channel: 'sms', people: 'all' })
      expect([late.status, late.json.code]).to.deep.equal([409, 'files-end-first'])
      expect((await retry()).json.code).to.equal('files-end-first')
    } finally {
      fleet.clock.now = now
    }
    expect((await history(key)).state, 'nothing has begun').to.equal('settled')
    expect((await resend(key, { channel: 'sms', people: 'all' })).json.people).to.equal(2)
  })
})
