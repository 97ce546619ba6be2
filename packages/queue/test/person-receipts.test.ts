/** What one person got, over all messages: in small and large audiences, in pages, for operators, and with a line in the audit. */
import type { AuditPage, PersonReceipts } from '@courier-fleet/api-types'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

describe('the receipts of a person', () => {
  let fleet: University
  /** more people than the record of a message holds */
  const crowd = Array.from({ length: 40 }, (_, index) => `crowd-${String(index).padStart(3, '0')}`)

  before(async () => {
    fleet = await startUniversity()
    for (const id of crowd)
      await fleet.directory.putPerson({ id, name: `Толпа ${id}`, role: 'student', timeZone: 'UTC', language: 'ru' })
  })
  after(() => fleet.stop())

  const receiptsOf = (person: string, time = '') =>
    fleet.ask<PersonReceipts>(`GET /v1/people/${person}/receipts${time}`, { as: 'operator' })

  async function sendTo(people: readonly string[], text: string): Promise<string> {
    const { json } = await fleet.ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'admin' },
      { to: people.map((id) => `user:${id}`), text, at: far },
    )
    return json.key
  }

  /** All pages, one after another. @returns also how many there were */
  async function allOf(person: string, from?: string) {
    const messages: PersonReceipts['messages'] = []
    let pages = 0
    let to: string | undefined
    do {
      const query = new URLSearchParams({ ...(from ? { from } : {}), ...(to ? { to } : {}) })
      const { json } = await receiptsOf(person, `?${query}`)
      messages.push(...json.messages)
      pages += 1
      to = json.next
    } while (to !== undefined)
    return { messages, pages }
  }

  it('say of each message what became of it, when and why, the latest first', async () => {
    const earlier = await fleet.settledBySms('dfu')
    const ref = parseHistoryKey(earlier)
    await fleet.redis.hset(keys.evidence(ref, 'sms'), '1', '\t\tESME_RINVDSTADR: no such number')
    const later = await sendTo(['boris'], 'Only for you')
    const { status, json } = await receiptsOf('boris')
    expect(status).to.equal(200)
    expect(json.messages.map(({ key }) => key)).to.deep.equal([later, earlier])
    expect(json.messages[0]).to.include({ sender: 'admin-1', state: 'scheduled', text: 'Only for you' })
    expect(json.messages[0]?.channels).to.deep.equal({})
    expect(json.messages[1]).to.include({ sender: 'trainer-1', state: 'settled', text: 'Hi' })
    expect(json.messages[1]?.channels.sms).to.include({ state: 'failed' })
    expect((await receiptsOf('anna')).json.messages.map(({ channels }) => channels.sms?.state)).to.deep.equal([
      'delivered',
    ])
    expect(json).not.to.have.property('next')
  })

  it('are found wherever in a large audience they stand, and only of who is in it', async () => {
    const all = await sendTo(crowd, 'All')
    const others = await sendTo(
      crowd.filter((_, index) => index % 2 === 0),
      'Every other',
    )
    for (const [index, person] of crowd.entries()) {
      const { json } = await receiptsOf(person)
      expect(
        json.messages.map(({ key }) => key),
        person,
      ).to.deep.equal(index % 2 === 0 ? [others, all] : [all])
    }
  })

  it('are looked for among so many messages at once, and gone on with', async () => {
    const wanted = await sendTo(['clara'], 'Long ago')
    const line = JSON.stringify({ to: ['user:crowd-001'], text: 'Hay', at: far })
    const sent = await fleet.ask<string>(
      'POST /v1/messages:bulk',
      { as: 'admin', headers: { 'content-type': 'application/x-ndjson' } },
      Array.from({ length: 700 }, () => line).join('\n'),
    )
    expect(sent.status).to.equal(200)
    const { messages, pages } = await allOf('clara')
    expect(messages.map(({ key }) => key)).to.include(wanted)
    expect(new Set(messages.map(({ key }) => key)).size).to.equal(messages.length)
    expect(pages).to.be.greaterThan(1)
    expect((await allOf('crowd-001')).messages.filter(({ text }) => text === 'Hay')).to.have.length(700)
    const first = messages.at(-1) as PersonReceipts['messages'][number]
    expect((await receiptsOf('clara', `?to=${first.acceptedAt}`)).json.messages).to.deep.equal([])
    const since = await allOf('clara', first.acceptedAt)
    expect(since.messages.map(({ key }) => key)).to.deep.equal(messages.map(({ key }) => key))
  })

  it('leave out what was cancelled before it began, for whom that was is not kept', async () => {
    const key = await sendTo(['student-1'], 'Never mind')
    expect((await receiptsOf('student-1')).json.messages.map((each) => each.key)).to.deep.equal([key])
    await fleet.ask(`DELETE /v1/histories/${key}`, { as: 'admin' })
    expect((await receiptsOf('student-1')).json.messages).to.deep.equal([])
  })

  it('are seen by the person themself once something has reached them, whole, and without a line in the audit', async () => {
    await fleet.directory.addMembers('own', ['student-1'])
    const key = await fleet.settledBySms('dfus')
    const text = 'Long '.repeat(100)
    await sendTo(['student-1'], text)
    const own = (time = '') => fleet.ask<PersonReceipts>(`GET /v1/people/student-1/receipts${time}`, { as: 'student' })
    const { status, json } = await own()
    expect(status).to.equal(200)
    expect(json.messages.map((message) => message.key)).to.deep.equal([key])
    expect(json.messages[0]?.channels.sms).to.include({ state: 'sent' })
    expect((await receiptsOf('student-1')).json.messages[0]?.text, 'for operators').to.equal(text.slice(0, 200))
    const { json: audit } = await fleet.ask<AuditPage>('GET /v1/audit?limit=10', { as: 'operator' })
    expect(audit.lines.filter(({ by, person }) => by === 'student-1' && person === 'student-1')).to.deep.equal([])
    const answers = await Promise.all(Array.from({ length: 60 }, () => own('?from=2026-01-01T00:00:00Z')))
    expect(answers.map((answer) => answer.status)).to.include(429)
    await fleet.directory.removeMembers('own', ['student-1'])
  })

  it('are for operators, and the audit says who has looked', async () => {
    for (const as of ['student', 'trainer', 'staff'] as const)
      expect((await fleet.ask('GET /v1/people/anna/receipts', { as })).status, as).to.equal(403)
    expect((await receiptsOf('nobody')).status).to.equal(404)
    expect((await receiptsOf('admin-1')).status).to.equal(403)
    expect((await receiptsOf('anna', '?from=yesterday')).status).to.equal(400)
    await receiptsOf('anna')
    const { json } = await fleet.ask<AuditPage>('GET /v1/audit?limit=1', { as: 'operator' })
    expect(json.lines[0]).to.include({ action: 'person.looked-up', by: 'operator-1', person: 'anna' })
  })
})
