import {
  type AuditPage,
  type CorrectionOutcome,
  followUps,
  type HistoryView,
  type Withdrawal,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import { introOf } from '../src/acceptance/correction-intro.ts'
import { startUniversity, type University } from './university.ts'

const later = () => new Date(Date.now() + 3_600_000).toISOString()

describe('corrections', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  async function send(more: object = {}): Promise<string> {
    const body = { to: ['group:own'], text: 'On Monday', at: later(), ...more }
    return (await fleet.ask<{ key: string }>('POST /v1/messages', { as: 'trainer' }, body)).json.key
  }
  const correct = (key: string, body: object, as: Parameters<University['ask']>[1] = { as: 'trainer' }) =>
    fleet.ask<CorrectionOutcome & { code?: string; field?: string }>(`POST /v1/histories/${key}/corrections`, as, body)
  const historyOf = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json

  it('gives it another text; both are kept, with who wrote them and when, and the audit has it', async () => {
    const key = await send()
    const { status, json } = await correct(key, { text: 'On Tuesday' })
    expect([status, json]).to.deep.equal([202, { key, version: 2 }])
    const { text, versions } = await historyOf(key)
    expect([text, versions?.map(({ text: each, by }) => [each, by])]).to.deep.equal([
      'On Tuesday',
      [
        ['On Monday', 'trainer-1'],
        ['On Tuesday', 'trainer-1'],
      ],
    ])
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=1', { as: 'operator' })).json
    expect(lines[0]).to.deep.include({ action: 'message.corrected', by: 'trainer-1', detail: 'version 2' })
  })

  it('is done once where the same call comes again, since its answer was lost or not confirmed', async () => {
    const key = await send()
    const first = await correct(key, { text: 'On Tuesday' })
    expect(await correct(key, { text: 'On Tuesday' })).to.deep.include({ status: 202, json: first.json })
    expect((await historyOf(key)).versions).to.have.length(2)
  })

  it('of a text it has already, told of in another way, is another call: refused, for it would tell nobody', async () => {
    const lines = async () =>
      (await fleet.ask<AuditPage>('GET /v1/audit?limit=100', { as: 'operator' })).json.lines.filter(
        ({ action }) => action === 'message.corrected',
      ).length
    for (const first of followUps) {
      const key = await send()
      const made = await correct(key, { text: 'On Tuesday', followUp: first })
      expect(made.status).to.equal(202)
      const before = await lines()
      for (const other of followUps.filter((each) => each !== first)) {
        const { status, json } = await correct(key, { text: 'On Tuesday', followUp: other })
        expect([status, json.code, json.field], `${first}, then ${other}`).to.deep.equal([
          422,
          'cannot-correct',
          'text',
        ])
      }
      expect(await lines()).to.equal(before)
      expect(await correct(key, { text: 'On Tuesday', followUp: first })).to.deep.include({
        status: 202,
        json: made.json,
      })
    }
  })

  it('by an operator, too, and by nobody else', async () => {
    const key = await send()
    for (const who of [{ as: 'student' }, { for: 'telegram:7001' }] as const)
      expect((await correct(key, { text: 'On Friday' }, who)).status).to.equal(403)
    expect((await correct(key, { text: 'On Friday' }, { as: 'operator' })).json.version).to.equal(2)
    expect((await historyOf(key)).versions?.[1]?.by).to.not.equal('trainer-1')
  })

  it('refuses what cannot be, and says why; nothing is changed', async () => {
    const key = await send()
    const cases: [object, number, string][] = [
      [{ text: 'On Monday' }, 422, 'cannot-correct'],
      [{ text: ' ' }, 422, 'invalid'],
      [{ text: 'On Tuesday', followUp: 'sometimes' }, 422, 'invalid'],
      [{}, 422, 'invalid'],
    ]
    for (const [body, status, code] of cases) {
      const answer = await correct(key, body)
      expect([answer.status, answer.json.code], JSON.stringify(body)).to.deep.equal([status, code])
    }
    const long = await send({ channels: ['sms'] })
    expect((await correct(long, { text: 'я'.repeat(19_000) })).json).to.include({
      code: 'text-too-long',
      field: 'text',
    })
    await fleet.ask(`DELETE /v1/histories/${key}`, { as: 'trainer' })
    expect((await correct(key, { text: 'On Tuesday' })).json.code).to.equal('was-cancelled')
    expect((await historyOf(long)).versions).to.equal(undefined)
    const issued = (await fleet.ask<{ key: string }>('POST /v1/history-keys', { as: 'trainer' })).json.key
    expect((await correct(issued, { text: 'On Tuesday' })).json.code).to.equal('unknown-key')
  })

  it('withdraws one: of one that has not begun that is to cancel it; the audit says what it was', async () => {
    const key = await send()
    const recall = (query: string, as: Parameters<University['ask']>[1] = { as: 'trainer' }) =>
      fleet.ask<Withdrawal & { code?: string; field?: string }>(`DELETE /v1/histories/${key}${query}`, as)
    expect((await recall('?recall=true', { as: 'student' })).status).to.equal(403)
    const both = await recall('?recall=true&unstarted=true')
    expect([both.status, both.json.code, both.json.field]).to.deep.equal([400, 'invalid', 'recall'])
    for (const _ of [1, 2]) {
      const { status, json } = await recall('?recall=true')
      expect([status, json]).to.deep.equal([200, { key, outcome: 'cancelled' }])
    }
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=1', { as: 'operator' })).json
    expect(lines[0]).to.deep.include({ action: 'message.recalled', by: 'trainer-1' })
    expect((await historyOf(key)).recalled).to.equal(undefined)
  })

  it('two at once: one of them, or one after the other, and each text is kept', async () => {
    const key = await send()
    const answers = await Promise.all([correct(key, { text: 'On Tuesday' }), correct(key, { text: 'On Friday' })])
    const taken = answers.filter(({ status }) => status === 202)
    for (const { status, json } of answers) if (status !== 202) expect(json.code).to.equal('in-progress')
    expect((await historyOf(key)).versions).to.have.length(1 + taken.length)
  })

  it('a message of its own says which one it corrects, in the language of the text, by the fleet’s clock', () => {
    const sentMs = Date.parse('2026-09-01T11:02:00Z')
    const at = (nowMs: number) => ({ sentMs, nowMs, timeZone: 'Europe/Moscow' })
    expect(introOf('Перенос', at(sentMs + 60_000))).to.equal('Исправление к сообщению от 14:02:')
    expect(introOf('Moved', at(sentMs + 60_000))).to.equal('Correction of the message of 14:02:')
    expect(introOf('Перенос', at(sentMs + 86_400_000))).to.equal('Исправление к сообщению от 1 сентября в 14:02:')
  })
})
