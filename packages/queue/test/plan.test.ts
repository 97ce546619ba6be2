import type { Acceptance, HistoryView, Plan, ProblemDocument, RehearsalView } from '@courier-fleet/api-types'
import { useChannel } from '@courier-fleet/store'
import { startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

/** 23:30 in Moscow, 06:30 in Vladivostok, 21:30 in London */
const evening = Date.parse('2030-09-01T20:30:00Z')
const quiet = { from: '22:00', to: '08:00' }
const moscow = '2030-09-02T05:00:00.000Z'
const vladivostok = '2030-09-01T22:00:00.000Z'

type Row = Plan['later'][number]
/** over the two minutes that the fleet takes for it where nothing else is set */
const held = (at: string, people: number): Row => ({
  at,
  until: new Date(Date.parse(at) + 120_000).toISOString(),
  people,
  cause: 'quiet',
})

describe('the plan of a message', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    fleet.clock.now = () => evening
    const { directory, redis } = fleet
    await useChannel(redis, 16, 'telegram')
    await useChannel(redis, 16, 'sms')
    const people = { anna: 'Europe/Moscow', boris: 'Asia/Vladivostok', clara: 'Europe/London', dmitri: 'Europe/Moscow' }
    for (const [id, timeZone] of Object.entries(people))
      await directory.putPerson({ id, name: id, role: 'student', timeZone, language: 'ru' })
    for (const [index, id] of Object.keys(people).entries())
      if (id !== 'dmitri') await directory.linkContact('telegram', id, String(101 + index))
    await directory.linkContact('sms', 'anna', '+79002220001')
  })
  afterEach(() => fleet.stop())

  const body = { to: ['group:own', 'group:other'], text: 'x', expires: '2030-09-04T00:00:00Z' }
  const send = (more: object = {}, headers?: Record<string, string>) =>
    fleet.ask<Acceptance & ProblemDocument>(
      'POST /v1/messages',
      { as: 'staff', ...(headers ? { headers } : {}) },
      { ...body, ...more },
    )
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'staff' })).json
  const rehearse = async (more: object = {}) =>
    (await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, { ...body, ...more })).json
      .plan as Plan

  it('is not there where no rule holds, and nobody is asked for', async () => {
    const watcher = await startMonitor(fleet.redis)
    const asked: string[] = []
    watcher.on('monitor', (_time: string, args: string[]) =>
      asked.push(args[0]?.startsWith('eval') ? 'script' : args.slice(0, 2).join(' ')),
    )
    const { status, json } = await send()
    expect([status, json.plan]).to.deep.equal([201, undefined])
    expect(await history(json.key)).not.to.have.property('plan')
    await fleet.redis.echo('that was all')
    await until(() => asked.includes('echo that was all'), 'all of it was heard')
    watcher.disconnect()
    expect(asked.filter((command) => /contacts:|contact-channels|wishes|diary/.test(command)).join()).to.equal('')
    expect(asked).to.include('script')
  })

  it('is answered at once: who gets it now, who in the morning of their own, and who never', async () => {
    await fleet.set({ quiet })
    const { json } = await send()
    const plan = {
      asOf: '2030-09-01T20:30:00.000Z',
      now: 1,
      later: [held(vladivostok, 1), held(moscow, 1)],
      never: [{ people: 1, why: 'no-contact' }],
    }
    expect(json.plan).to.deep.equal(plan)
    expect((await history(json.key)).plan).to.deep.equal(plan)
    const { forecast, ...rehearsed } = await rehearse()
    expect(rehearsed).to.deep.equal(plan)
    expect([forecast?.channels.sms?.people, forecast?.channels.telegram?.people]).to.deep.equal([1, 3])
  })

  it('tells the sender who chose 23:00 the new time, and holds nobody who is to have it at noon', async () => {
    await fleet.set({ quiet })
    const at = '2030-09-02T20:00:00Z'
    expect((await send({ to: ['user:anna'], at })).json.plan).to.deep.include({
      now: 0,
      later: [held('2030-09-03T05:00:00.000Z', 1)],
    })
    expect((await send({ to: ['user:anna'], at: '2030-09-02T09:00:00Z' })).json.plan).to.deep.include({
      now: 1,
      later: [],
    })
  })

  it('says the end of the while after quiet hours that is set, and never one after it has expired', async () => {
    const rowAt = async (quietJitterSeconds: number, expires: string) => {
      await fleet.set({ quiet, quietJitterSeconds })
      return (await rehearse({ to: ['user:anna'], expires }))?.later
    }
    const row = { at: moscow, people: 1, cause: 'quiet' }
    expect(await rowAt(0, body.expires)).to.deep.equal([row])
    expect(await rowAt(59, body.expires)).to.deep.equal([row])
    expect(await rowAt(330, body.expires)).to.deep.equal([{ ...row, until: '2030-09-02T05:05:00.000Z' }])
    expect(await rowAt(330, '2030-09-02T05:03:00Z')).to.deep.equal([{ ...row, until: '2030-09-02T05:02:00.000Z' }])
    expect(await rowAt(330, '2030-09-02T05:01:00Z')).to.deep.equal([row])
  })

  it('heeds what people want for themselves, and what the message says', async () => {
    await fleet.set({ quiet })
    await fleet.directory.changeWishes('anna', (wishes) => ({ ...wishes, quiet: 'never' }))
    await fleet.directory.changeWishes('clara', (wishes) => ({ ...wishes, quiet: { from: '21:00', to: '09:00' } }))
    expect(await rehearse()).to.deep.include({
      now: 1,
      later: [held(vladivostok, 1), held('2030-09-02T08:00:00.000Z', 1)],
    })
    expect((await send({ quiet: 'ignore' })).json).not.to.have.property('plan')
    expect((await send({ class: 'urgent' })).json).not.to.have.property('plan')
  })

  it('says who sits an exam, until when on their own clock, and who never gets it for that', async () => {
    const exam = { group: 'own', from: '2030-09-01T23:00', to: '2030-09-02T06:00' }
    await fleet.set({ exams: [exam] })
    // of the group, only anna in Moscow sits it now; it is over for boris, and has not begun for clara
    const plan = { now: 2, later: [{ at: '2030-09-02T03:00:00.000Z', people: 1, cause: 'exam' }] }
    const { json } = await send()
    expect(json.plan).to.deep.include(plan)
    expect((await history(json.key)).plan).to.deep.include(plan)
    expect(await rehearse()).to.deep.include(plan)
    expect((await rehearse({ expires: '2030-09-02T03:00:00Z' })).never).to.deep.include({ people: 1, why: 'exam' })
    const refused = await send({ to: ['user:anna'], expires: '2030-09-02T03:00:00Z' })
    expect([refused.json.code, refused.json.possibleAt]).to.deep.equal(['nobody-in-time', '2030-09-02T03:00:00.000Z'])
    expect((await send({ class: 'urgent' })).json).not.to.have.property('plan')
    await fleet.set({ exams: [{ ...exam, group: 'other' }] })
    expect((await send({ to: ['user:anna'] })).json.plan).to.deep.include({ now: 1, later: [] })
  })

  it('counts only the channels the message is for', async () => {
    await fleet.set({ quiet })
    expect(await rehearse({ channels: ['sms'] })).to.deep.include({
      now: 0,
      later: [held(moscow, 1)],
      never: [{ people: 3, why: 'no-contact' }],
    })
    expect((await rehearse({ channels: ['mail'] })).never).to.deep.equal([{ people: 4, why: 'no-contact' }])
  })

  it('is the same for every repeat of a call, and anew for another time', async () => {
    await fleet.set({ quiet })
    const headers = { 'idempotency-key': 'plan-1' }
    const first = await send({ at: '2030-09-02T20:00:00Z' }, headers)
    fleet.clock.now = () => evening + 3_600_000
    await fleet.directory.linkContact('telegram', 'dmitri', '104')
    await fleet.set({ quiet: null })
    expect((await send({ at: '2030-09-02T20:00:00Z' }, headers)).json).to.deep.equal(first.json)
    const { key } = first.json
    const move = (at: string) => fleet.ask<HistoryView>(`PATCH /v1/histories/${key}`, { as: 'staff' }, { at })
    expect((await move('2030-09-02T21:00:00Z')).json).not.to.have.property('plan')
    await fleet.set({ quiet })
    const moved = (await move('2030-09-02T20:10:00Z')).json.plan
    expect(moved).to.deep.include({ asOf: '2030-09-01T21:30:00.000Z', now: 1, never: [] })
    expect(moved?.later).to.deep.equal([held('2030-09-02T22:00:00.000Z', 1), held('2030-09-03T05:00:00.000Z', 2)])
  })

  it('is refused where it would have expired before anybody may have it, with the first time that would do', async () => {
    await fleet.set({ quiet })
    const expires = '2030-09-01T21:00:00Z'
    const { status, json } = await send({ to: ['user:anna', 'user:boris', 'user:dmitri'], expires })
    expect([status, json.code, json.field, json.possibleAt]).to.deep.equal([
      422,
      'nobody-in-time',
      'expires',
      vladivostok,
    ])
    expect((await rehearse({ to: ['user:anna', 'user:dmitri'], expires })).never).to.deep.equal([
      { people: 1, why: 'quiet' },
      { people: 1, why: 'no-contact' },
    ])
    // clara may have it now; nobody has a contact is no question of time
    expect((await send({ expires })).json.plan).to.deep.include({ now: 1, later: [] })
    expect((await send({ to: ['user:dmitri'], expires })).status).to.equal(201)
  })

  it('is told of each line of many', async () => {
    await fleet.set({ quiet })
    const lines = ['anna', 'clara'].map((id) => JSON.stringify({ ...body, to: [`user:${id}`] })).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const { json } = await fleet.ask<string>('POST /v1/messages:bulk', { as: 'staff', headers }, `${lines}\n`)
    const plans = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).plan)
    expect(plans).to.deep.equal([
      { asOf: '2030-09-01T20:30:00.000Z', now: 0, later: [held(moscow, 1)], never: [] },
      { asOf: '2030-09-01T20:30:00.000Z', now: 1, later: [], never: [] },
    ])
  })
})
