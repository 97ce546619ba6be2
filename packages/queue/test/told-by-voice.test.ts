/** Somebody who was not reached is told by voice: a word beside the receipts, which nothing hides. */
import type { AuditPage, HistoryView, ReceiptsPage, ToldOutcome } from '@courier-fleet/api-types'
import { parseHistoryKey, peopleClasses } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { outcomeWords } from '@courier-fleet/words'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('people told by voice', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {} })
  })
  after(() => fleet.stop())

  type Who = Parameters<University['ask']>[1]
  const of = (key: string, person: string) => `/v1/histories/${key}/told-by-voice/${person}`
  const tell = (key: string, person: string, who: Who = { as: 'trainer' }) =>
    fleet.ask<ToldOutcome & { code?: string }>(`PUT ${of(key, person)}`, who)
  const takeBack = (key: string, person: string, who: Who = { as: 'trainer' }) =>
    fleet.ask<ToldOutcome & { code?: string }>(`DELETE ${of(key, person)}`, who)
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json
  const receipts = async (key: string, query = '') =>
    (await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts?${query}`, { as: 'trainer' })).json.receipts
  const people = async (key: string) => {
    const counted = (await history(key)).people
    if (!counted) throw new Error('nobody is counted')
    expect(
      peopleClasses.reduce((sum, name) => sum + counted[name], 0),
      'everyone once',
    ).to.equal(3)
    return counted
  }
  const balanced = async (key: string) =>
    (await fleet.ask<{ balanced: boolean }>(`GET /v1/histories/${key}/recount`, { as: 'trainer' })).json.balanced

  it('are a class of their own, never delivered; who said so, and when, is kept; the receipts are as they were', async () => {
    const key = await fleet.settledBySms('fud')
    const before = (await history(key)).channels
    const { status, json } = await tell(key, 'anna')
    expect(status).to.equal(200)
    expect(json).to.deep.include({ key, person: 'anna' })
    expect(json.toldByVoice?.by).to.equal('trainer-1')
    expect(Date.parse(json.toldByVoice?.at ?? '')).to.be.closeTo(Date.now(), 60_000)

    const now = await history(key)
    expect(now.channels).to.deep.equal(before)
    expect(await people(key)).to.include({ toldByVoice: 1, notDelivered: 0, unknown: 1, delivered: 1 })
    expect(now.people?.why).to.deep.equal({})
    expect(await balanced(key)).to.equal(true)
    expect((await receipts(key, 'class=toldByVoice')).map(({ person }) => person)).to.deep.equal(['anna'])
    expect((await receipts(key))[0]?.toldByVoice).to.deep.equal(json.toldByVoice)
    for (const language of ['ru', 'en'] as const) {
      const { lines, sentence } = outcomeWords(language, now)
      expect(lines.find((line) => line.class === 'toldByVoice')).to.include({ count: 1 })
      expect(sentence).to.contain(language === 'ru' ? 'сказано голосом — 1' : '1 told by voice')
      expect(sentence, 'one of three').not.to.match(/Everyone got it|Дошло до всех/)
    }
  })

  it('stay told by whoever said so first, until somebody takes it back; the audit keeps both', async () => {
    const key = await fleet.settledBySms('ffd')
    const first = (await tell(key, 'anna')).json.toldByVoice
    expect((await tell(key, 'anna', { as: 'operator' })).json.toldByVoice).to.deep.equal(first)
    expect((await takeBack(key, 'anna', { as: 'operator' })).json).to.deep.equal({ key, person: 'anna' })
    expect((await takeBack(key, 'anna')).json, 'again').to.deep.equal({ key, person: 'anna' })
    expect(await people(key)).to.include({ toldByVoice: 0, notDelivered: 2 })
    expect((await receipts(key))[0]).not.to.have.property('toldByVoice')
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=4', { as: 'operator' })).json
    const said = lines.map(({ action, by, person, history: about }) => [action, by, person, about])
    expect(said).to.deep.include(['person.told-by-voice', 'trainer-1', 'anna', key])
    expect(said).to.deep.include(['person.told-taken-back', 'operator-1', 'anna', key])
  })

  it('are delivered once a channel turns out to have reached them, and what was said is kept beside it', async () => {
    const key = await fleet.settledBySms('ufd')
    await tell(key, 'anna')
    expect(await people(key)).to.include({ toldByVoice: 1, unknown: 0 })
    const found = { channel: 'sms', people: ['anna'], outcome: 'delivered' }
    await fleet.ask(`POST /v1/histories/${key}/receipts:resolve`, { as: 'trainer' }, found)
    expect(await people(key)).to.include({ toldByVoice: 0, delivered: 2 })
    expect((await receipts(key))[0]?.toldByVoice?.by).to.equal('trainer-1')
    expect(await balanced(key)).to.equal(true)
  })

  it('are not among those who were not reached, when a message is written to these again', async () => {
    const key = await fleet.settledBySms('ffd')
    await tell(key, 'anna')
    const to = ['group:own', `unreached:${key}`]
    const { json } = await fleet.ask<{ audience: { size: number } }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to, text: 'Again' },
    )
    expect(json.audience.size).to.equal(1)
  })

  it('are told of by the sender and operators, of people it was for, of a message that was sent', async () => {
    const key = await fleet.settledBySms('ffd')
    for (const who of [{ as: 'staff' }, { for: 'telegram:7001' }] as const)
      expect((await tell(key, 'anna', who)).status, JSON.stringify(who)).to.equal(403)
    const stranger = await tell(key, 'dmitri')
    expect([stranger.status, stranger.json.code]).to.deep.equal([422, 'not-in-audience'])
    const { json } = await fleet.ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'Later', at: new Date(Date.now() + 3_600_000).toISOString() },
    )
    await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: 'trainer' })
    const cancelled = await tell(json.key, 'anna')
    expect([cancelled.status, cancelled.json.code]).to.deep.equal([409, 'was-cancelled'])
    expect(await fleet.redis.exists(keys.byVoice(parseHistoryKey(json.key)))).to.equal(0)
  })
})
