import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf, studentsOf } from './roster.ts'

const group = membersOf('ivt-101')
const to = ['group:ivt-101']

describe('a sender changing their mind', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await startFleet({ env: { TELEGRAM_RATE_PER_SECOND: '5' } })
  })
  after(() => fleet.stop())

  const issueKey = async () => (await fleet.api.call<{ key: string }>('POST', '/v1/history-keys')).body.key
  /** Everything due up to now has gone out once this has, for it came due later. */
  const deliverAfter = (dueAt: string) =>
    fleet.api.deliver({ to: ['user:t-01'], text: 'later', at: new Date(Date.parse(dueAt) + 50).toISOString() })

  // what is cancelled and moved first of all is looked at last, when its moment has come
  const cancelled = { key: '', at: '' }
  const moved = { key: '', at: '' }

  it('cancels before the due moment', async () => {
    cancelled.at = ahead(40_000)
    cancelled.key = await fleet.api.send({ to, text: 'отменено', at: cancelled.at })
    const { status, body } = await fleet.api.call('DELETE', `/v1/histories/${cancelled.key}`)
    expect([status, body]).to.deep.equal([200, { key: cancelled.key, outcome: 'cancelled' }])
  })

  it('reschedules, earlier and later', async () => {
    moved.key = await fleet.api.send({ to, text: 'в другой раз', at: ahead(60_000) })
    const path = `/v1/histories/${moved.key}`
    expect((await fleet.api.call('PATCH', path, { at: ahead(3_600_000) })).status).to.equal(200)
    moved.at = ahead(40_000)
    expect((await fleet.api.call('PATCH', path, { at: moved.at })).body.at).to.equal(moved.at)
  })

  it('cancels while it runs: what is in flight is finished, the rest is cancelled, the ledger says which', async () => {
    const text = 'хватит'
    const students = studentsOf('all-students')
    const key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['telegram'] })
    await until(async () => (await fleet.sandbox.accepted(text)).length > 5, 'sending has begun')
    const { body } = await fleet.api.call<{ outcome: string }>('DELETE', `/v1/histories/${key}`)
    expect(body.outcome).to.equal('stopping')
    const { settled, history } = await fleet.api.track(key)
    expect(settled).to.equal(true)

    const rows = await fleet.sandbox.accepted(text)
    const sent = (await fleet.api.receipts(key)).filter(({ channels }) => channels.telegram?.state === 'sent')
    const byId = new Map(students.map((student) => [student.id, student.contacts.telegram]))
    expect(addressesIn(rows)).to.deep.equal(sent.map(({ person }) => `telegram ${byId.get(person)}`).sort())
    expect(history.channels.telegram?.cancelled).to.be.above(0)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('puts the same message twice under one key: it is sent once; another body is refused', async () => {
    const key = await issueKey()
    const message = { to, text: 'дважды' }
    const [first, again] = await Promise.all([
      fleet.api.call('PUT', `/v1/histories/${key}`, message),
      fleet.api.call('PUT', `/v1/histories/${key}`, message),
    ])
    expect([first.status, again.status].sort()).to.deep.equal([200, 201])
    expect(again.body).to.deep.equal(first.body)
    const other = await fleet.api.call('PUT', `/v1/histories/${key}`, { ...message, text: 'другое' })
    expect([other.status, other.body.code]).to.deep.equal([409, 'another-body'])
    await fleet.api.track(key)
    expect(addressesIn(await fleet.sandbox.accepted('дважды'))).to.deep.equal(goodContacts(group))
    expect(await fleet.sandbox.accepted('другое')).to.deep.equal([])
  })

  it("keeps another sender's key shut: no put, no look, no cancel", async () => {
    const [owner, stranger] = await Promise.all([fleet.apiOf('t-01', 'trainer'), fleet.apiOf('t-12', 'trainer')])
    const { key } = (await owner.call<{ key: string }>('POST', '/v1/history-keys')).body
    const path = `/v1/histories/${key}`
    const answers = await Promise.all([
      stranger.call('PUT', path, { to, text: 'чужое' }),
      stranger.call('GET', path),
      stranger.call('GET', `${path}/receipts`),
      stranger.call('POST', `${path}/tracker`, { timeout: 0 }),
      stranger.call('PATCH', path, { at: 'now' }),
      stranger.call('DELETE', path),
    ])
    for (const { status } of answers) expect(status).to.be.oneOf([403, 404])
    expect((await owner.call('PUT', path, { to, text: 'своё' })).status).to.equal(201)
    expect((await owner.track(key)).settled).to.equal(true)
    expect(await fleet.sandbox.accepted('чужое')).to.deep.equal([])
    expect(addressesIn(await fleet.sandbox.accepted('своё'))).to.deep.equal(goodContacts(group))
  })

  it('of what was cancelled nothing is sent, then or ever', async () => {
    await deliverAfter(cancelled.at)
    expect(await fleet.sandbox.accepted('отменено')).to.deep.equal([])
    const report = await fleet.api.track(cancelled.key)
    expect([report.settled, report.history.state, report.ending]).to.deep.equal([true, 'cancelled', 'nothing'])
  })

  it('the moment told last is the moment it goes; from then on it is too late for another', async () => {
    expect((await fleet.api.track(moved.key)).settled).to.equal(true)
    const rows = await fleet.sandbox.accepted('в другой раз')
    expect(addressesIn(rows)).to.deep.equal(goodContacts(group))
    expect(Math.min(...rows.map((row) => row.at)) - Date.parse(moved.at)).to.be.within(0, 30_000)
    const late = await fleet.api.call('PATCH', `/v1/histories/${moved.key}`, { at: ahead(60_000) })
    expect([late.status, late.body.code]).to.deep.equal([409, 'already-started'])
  })
})
