/** What of the steps of a message is accepted, and what its history says of them. */
import type { HistoryView, Plan, RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const first = { channels: ['telegram', 'vk'] }
const sms = { channels: ['sms'], after: 'PT10M', unless: 'sent' }

describe('steps of a message', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  type Answer = { key: string; code?: string; field?: string; detail: string }
  const send = (body: object, as = 'trainer') =>
    fleet.ask<Answer>('POST /v1/messages', { as: as as 'trainer' }, { to: ['group:own'], text: 'T', ...body })
  const refused = async (body: object) => {
    const { status, json } = await send(body)
    return [status, json.code, json.field]
  }

  it('are accepted, and shown as they were said', async () => {
    const { status, json } = await send({ steps: [first, sms], at: new Date(Date.now() + 3_600_000).toISOString() })
    expect(status).to.equal(201)
    const history = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'trainer' })).json
    expect(history.steps).to.deep.equal([
      { channels: ['telegram', 'vk'], waiting: 3, sent: 0, spared: 0 },
      { channels: ['sms'], after: 'PT10M', unless: 'sent', waiting: 3, sent: 0, spared: 0 },
    ])
    expect((await send({ steps: [first, { ...sms, unless: 'confirmed' }], confirm: true })).status).to.equal(201)
    const four = ['vk', 'sms', 'mail'].map((channel) => ({ channels: [channel], after: 'PT30S', unless: 'sent' }))
    expect((await send({ steps: [{ channels: ['telegram'] }, ...four] })).status).to.equal(201)
  })

  it('wait for nothing that a channel does not tell, and it is said what it does', async () => {
    const { json } = await send({ steps: [first, { ...sms, unless: 'read' }] })
    expect([json.code, json.field]).to.deep.equal(['cannot-tell', 'steps.1.unless'])
    expect(json.detail).to.equal('telegram does not tell who is "read", only sent')
    const unasked = await send({ steps: [first, { ...sms, unless: 'confirmed' }] })
    expect(unasked.json.detail).to.match(/only sent; say `confirm`/)
    const third = { channels: ['mail'], after: 'PT1H', unless: 'delivered' }
    expect(await refused({ steps: [{ channels: ['sms'] }, { ...sms, channels: ['vk'] }, third] })).to.deep.equal([
      422,
      'cannot-tell',
      'steps.2.unless',
    ])
    expect((await send({ steps: [{ channels: ['sms'] }, third] })).status).to.equal(201)
  })

  it('are rehearsed: how many each could be for, at most, and who waits for nothing', async () => {
    await fleet.directory.linkContact('telegram', 'anna', '8101')
    await fleet.directory.linkContact('sms', 'anna', '+79005550001')
    await fleet.directory.linkContact('sms', 'boris', '+79005550002')
    const rehearse = (body: object) =>
      fleet.ask<RehearsalView & Answer>('POST /v1/audiences:resolve', { as: 'trainer' }, { to: ['group:own'], ...body })
    const { json } = await rehearse({ steps: [first, sms] })
    expect(json.steps).to.deep.equal([
      { channels: ['telegram', 'vk'], atMost: 1, atOnce: 1 },
      { channels: ['sms'], after: 'PT10M', unless: 'sent', atMost: 2, atOnce: 1 },
    ])
    expect(Object.keys(json.channels)).to.deep.equal(['sms', 'telegram', 'vk'])
    expect(json.reachable).to.equal(2)
    expect((await rehearse({ steps: [first, { ...sms, unless: 'read' }] })).json.code).to.equal('cannot-tell')
    expect((await rehearse({ steps: [first, sms], channels: ['sms'] })).json.code).to.equal('invalid')
  })

  it('are refused where they make no sense', async () => {
    const at = new Date(Date.now() + 60_000).toISOString()
    const expires = new Date(Date.now() + 600_000).toISOString()
    expect(await refused({ steps: [first, sms], at, expires })).to.deep.equal([422, 'expires-first', 'steps'])
    const long = { ...sms, after: 'PT24H' }
    expect(await refused({ steps: [first, long] }), 'a day is all it has').to.deep.equal([
      422,
      'expires-first',
      'steps',
    ])
    expect(await refused({ steps: [first, { ...sms, channels: ['pager'] }] })).to.deep.equal([
      422,
      'unknown-channel',
      'steps.1.channels.0',
    ])
    expect(await refused({ to: ['url:https://example.org/x'], steps: [first, sms] })).to.include(403)
    const invalid: object[] = [
      { steps: [first] },
      { steps: [first, { channels: ['sms'] }] },
      { steps: [{ ...first, after: 'PT1M', unless: 'sent' }, sms] },
      { steps: [first, { ...sms, channels: ['vk'] }] },
      { steps: [first, { ...sms, after: 'PT29S' }] },
      { steps: [first, { ...sms, after: 'P2D' }] },
      { steps: [first, { ...sms, after: 'soon' }] },
      { steps: [first, { ...sms, unless: 'bounced' }] },
      { steps: [first, sms], channels: ['sms'] },
      { steps: [first, sms], whenOnline: true },
      { steps: [first, ...[1, 2, 3, 4].map((each) => ({ ...sms, channels: [`c${each}`] }))] },
    ]
    for (const body of invalid) {
      const [status, code] = await refused(body)
      expect([status, code], JSON.stringify(body)).to.deep.equal([422, 'invalid'])
    }
  })

  it('are all due in time after a move, too: else it is refused, and stays where it was', async () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString()
    const move = (key: string, at: string) => fleet.ask<Answer>(`PATCH /v1/histories/${key}`, { as: 'trainer' }, { at })
    const at = minutes(60)
    const { json } = await send({ steps: [first, sms], at, expires: minutes(120) })
    for (const late of [115, 111, 119]) {
      const refusal = await move(json.key, minutes(late))
      expect([refusal.status, refusal.json.code, refusal.json.field]).to.deep.equal([422, 'expires-first', 'at'])
      expect(refusal.json.detail).to.equal('by the new time the message expires before its last step is due')
    }
    const history = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'trainer' })).json
    expect(history.at).to.equal(at)
    expect((await move(json.key, minutes(109))).status).to.equal(200)
    const lasting = await send({ steps: [first, sms], at })
    expect((await move(lasting.json.key, minutes(10_000))).status, 'a day after, whenever that is').to.equal(200)
  })

  describe('that its type has', () => {
    const news = { name: { ru: 'Новости', en: 'News' } }
    const put = (more: object, id = 'stepped') =>
      fleet.ask<Answer>(`PUT /v1/types/${id}`, { as: 'operator' }, { ...news, ...more })
    const rehearse = (body: object) =>
      fleet.ask<RehearsalView & Answer>('POST /v1/audiences:resolve', { as: 'trainer' }, { to: ['group:own'], ...body })
    const stepsOf = async (key: string, as: 'trainer' | 'staff' = 'trainer') => {
      const { status, json } = await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as })
      expect(status).to.equal(200)
      return json.steps
    }
    const channelsOf = (steps: HistoryView['steps']) => steps?.map(({ channels }) => channels)
    const later = { at: new Date(Date.now() + 3_600_000).toISOString() }

    it('are those of a message that says nothing of channels, and are rehearsed as if it had said them', async () => {
      expect((await put({ steps: [first, sms] })).status).to.equal(201)
      const typed = await rehearse({ type: 'stepped' })
      const written = await rehearse({ type: 'stepped', steps: [first, sms] })
      expect(typed.json.steps).to.deep.equal(written.json.steps).and.have.length(2)
      const { asOf: _, ...plan } = typed.json.plan as Plan
      expect(written.json.plan).to.deep.include(plan)
      expect(typed.json.channels).to.deep.equal(written.json.channels)
      const accepted = await send({ type: 'stepped', ...later })
      expect(accepted.status).to.equal(201)
      expect(await stepsOf(accepted.json.key)).to.deep.equal([
        { channels: ['telegram', 'vk'], waiting: 3, sent: 0, spared: 0 },
        { channels: ['sms'], after: 'PT10M', unless: 'sent', waiting: 3, sent: 0, spared: 0 },
      ])
    })

    it('are fixed when a message is accepted: repeated after a change it is the same', async () => {
      await put({ steps: [first, sms] })
      const key = (await fleet.ask<{ key: string }>('POST /v1/history-keys', { as: 'trainer' })).json.key
      const body = { to: ['group:own'], text: 'T', type: 'stepped', ...later }
      const accept = () => fleet.ask(`PUT /v1/histories/${key}`, { as: 'trainer' }, body)
      expect((await accept()).status).to.equal(201)
      await put({ steps: [{ channels: ['mail'] }, sms] })
      expect((await accept()).status, 'the same message').to.equal(200)
      expect(channelsOf(await stepsOf(key))).to.deep.equal([first.channels, ['sms']])
      const next = await send({ type: 'stepped', ...later })
      expect(channelsOf(await stepsOf(next.json.key))).to.deep.equal([['mail'], ['sms']])
    })

    it('are not those of a message that says how it goes', async () => {
      await put({ steps: [first, sms] })
      const own = { steps: [{ channels: ['mail'] }, { ...sms, channels: ['vk'] }] }
      const stepped = await send({ type: 'stepped', ...later, ...own })
      expect(channelsOf(await stepsOf(stepped.json.key))).to.deep.equal([['mail'], ['vk']])
      const named = await send({ type: 'stepped', ...later, channels: ['sms'] })
      expect(await stepsOf(named.json.key)).to.equal(undefined)
      const url = await fleet.ask<Answer>(
        'POST /v1/messages',
        { as: 'staff' },
        { to: ['url:https://example.org/x'], text: 'T', type: 'stepped', ...later },
      )
      expect([url.status, await stepsOf(url.json.key, 'staff')]).to.deep.equal([201, undefined])
    })

    it('are refused where they cannot be told, or not in time; and of a message it is said whose they are', async () => {
      expect((await put({ steps: [first, { ...sms, unless: 'read' }] })).json).to.include({
        code: 'cannot-tell',
        field: 'steps.1.unless',
      })
      expect((await put({ steps: [first, { ...sms, channels: ['pager'] }] })).json.code).to.equal('unknown-channel')
      expect((await put({ steps: [first] })).json).to.include({ code: 'invalid', field: 'steps' })
      expect((await put({ steps: [first, sms], merge: 'PT60S' })).json).to.include({ code: 'invalid', field: 'steps' })
      const confirmed = [first, { ...sms, unless: 'confirmed' }]
      expect((await put({ steps: confirmed })).status, 'its messages may ask').to.be.oneOf([200, 201])
      expect((await send({ type: 'stepped', confirm: true, ...later })).status).to.equal(201)
      const unasked = await send({ type: 'stepped', ...later })
      expect(unasked.json).to.include({ code: 'cannot-tell', field: 'type' })
      expect(unasked.json.detail).to.match(
        /^the type stepped has steps \(steps\.1\.unless\): telegram .*say `confirm`.*Say `channels`/,
      )
      expect((await rehearse({ type: 'stepped' })).json).to.include({ code: 'cannot-tell', field: 'type' })
      const expires = new Date(Date.now() + 600_000).toISOString()
      const soon = await send({ type: 'stepped', confirm: true, expires })
      expect(soon.json).to.include({ code: 'expires-first', field: 'type' })
    })

    it('are of general, too, for messages that name no type', async () => {
      await put({ steps: [first, sms] }, 'general')
      const { json } = await send(later)
      expect(channelsOf(await stepsOf(json.key))).to.deep.equal([first.channels, ['sms']])
      await fleet.ask('DELETE /v1/types/general', { as: 'operator' })
    })
  })
})
