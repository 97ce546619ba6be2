/** What is not known of messages to URLs but by the queue: whose presence they wait for, and that no rule about people is asked. */
import type { Acceptance, HistoryView, ProblemDocument, RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const staff = { as: 'staff' } as const
const url = ['url:https://shop.example.org/built']

describe('a message to a URL', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const send = (more: object) =>
    fleet.ask<Acceptance & ProblemDocument>('POST /v1/messages', staff, { to: url, text: 'Built', at: far, ...more })

  it('waits for the presence of somebody who is named, and is not online itself', async () => {
    const { status, json } = await send({ whenOnline: 'anna' })
    expect(status).to.equal(201)
    const history = await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, staff)
    expect(history.json.whenOnline).to.equal('anna')
    const refusals = [
      await send({ whenOnline: true }),
      await send({ whenOnline: 'nobody-here' }),
      await send({ to: ['user:anna'], whenOnline: 'boris' }),
    ]
    expect(refusals.map((each) => [each.status, each.json.code, each.json.field])).to.deep.equal([
      [422, 'urls-and-people', 'whenOnline'],
      [422, 'unknown-person', 'whenOnline'],
      [422, 'urls-and-people', 'whenOnline'],
    ])
  })

  it('is refused by a rehearsal as it is by sending', async () => {
    const rehearse = (more: object) =>
      fleet.ask<ProblemDocument>('POST /v1/audiences:resolve', staff, { to: url, text: 'Built', ...more })
    const field = { room: '7' }
    const refused = [
      { text: 'In {{room}}', fields: field },
      { text: 'In {{room}}', recipients: [{ person: 'anna', fields: field }] },
      { text: { ru: 'Готово', en: 'Built' } },
      { confirm: true },
      { steps: [{ channels: ['sms'] }, { channels: ['telegram'], after: 'PT5M', unless: 'delivered' }] },
      { channels: ['sms'] },
      { ceiling: { parts: 3 } },
      { whenOnline: true },
      { whenOnline: 'nobody-here' },
      { to: ['user:anna'], whenOnline: 'boris' },
    ]
    for (const more of refused) {
      const [sent, rehearsed] = [await send(more), await rehearse(more)]
      const [{ json: a }, { json: b }] = [sent, rehearsed]
      expect([rehearsed.status, b.code, b.field, b.detail], JSON.stringify(more)).to.deep.equal([
        sent.status,
        a.code,
        a.field,
        a.detail,
      ])
      expect(rehearsed.status, JSON.stringify(more)).to.equal(422)
    }
    expect((await rehearse({ whenOnline: 'anna' })).status).to.equal(200)
    expect((await rehearse({ text: undefined })).status, 'whom it would reach, without a text').to.equal(200)
  })

  it('has no plan when it is rehearsed either: of whoever is reachable it is not said that nobody is sent it', async () => {
    const two = { to: [...url, 'url:https://shop.example.org/sold'], text: 'Built' }
    for (const more of [{}, { whenOnline: 'anna' }, { at: far }]) {
      const { status, json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', staff, { ...two, ...more })
      expect([status, json.people, json.reachable, json.channels.http?.reachable]).to.deep.equal([200, 2, 2, 2])
      expect(json, JSON.stringify(more)).not.to.have.property('plan')
    }
  })

  it('has no plan, however it is moved: by itself, or by the event on which it hangs', async () => {
    await fleet.set({ quiet: { from: '22:00', to: '08:00' } })
    const own = await send({})
    expect(own.json).not.to.have.property('plan')
    const moved = await fleet.ask<HistoryView>(`PATCH /v1/histories/${own.json.key}`, staff, { at: far })
    expect([moved.status, moved.json.plan]).to.deep.equal([200, undefined])
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    await fleet.ask('PUT /v1/events/opening', staff, { at: far })
    const hung = await send({ at: undefined, event: 'opening' })
    expect((await fleet.ask('PUT /v1/events/opening', staff, { at: soon })).status).to.equal(200)
    const { json } = await fleet.ask<HistoryView>(`GET /v1/histories/${hung.json.key}`, staff)
    expect([json.at, json.plan]).to.deep.equal([soon, undefined])
  })
})
