/** Topics over HTTP: who joins, who writes, and who is told what. */
import type { AuditPage, HistoryView, PersonDetails, RehearsalView, TopicView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University, type Who } from './university.ts'

const choir = { name: { ru: 'Хор', en: 'Choir' }, senders: ['trainer-1', 'staff'], open: true }

describe('topics of the service', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    await put()
  })
  afterEach(() => fleet.stop())

  const put = (body: object = choir) => fleet.ask('PUT /v1/topics/choir', { as: 'operator' }, body)
  const me = (method: 'PUT' | 'DELETE', who: Who) => fleet.ask(`${method} /v1/topics/choir/members/me`, who)
  const members = async () =>
    (await fleet.ask<{ people: string[] }>('GET /v1/topics/choir/members', { as: 'operator' })).json.people
  const view = async (who: Who) => (await fleet.ask<TopicView>('GET /v1/topics/choir', who)).json
  const message = { to: ['topic:choir'], text: 'Репетиция в 18:00', at: far }

  it('are joined and left by people themselves: by key, by session, and by who speaks for them', async () => {
    expect((await me('PUT', { as: 'student' })).json).to.deep.equal({
      topic: 'choir',
      person: 'student-1',
      joined: true,
    })
    await me('PUT', { browser: await fleet.signIn('staff-1') })
    await me('PUT', { for: 'telegram:7001' })
    expect(await members()).to.deep.equal(['staff-1', 'student-1', 'trainer-1'])
    expect((await me('DELETE', { for: 'telegram:7005' })).json).to.include({ person: 'student-1', joined: false })
    expect((await me('DELETE', { for: 'telegram:7005' })).status).to.equal(200)
    expect(await members()).to.deep.equal(['staff-1', 'trainer-1'])
    expect((await me('PUT', { apiKey: fleet.keyOf.inbound })).status, 'an inbound process by itself').to.equal(403)
  })

  it('tell nobody but operators who is in them, and only their senders how many', async () => {
    await me('PUT', { as: 'student' })
    const { size: _, ...seen } = { ...choir, id: 'choir', senders: ['staff', 'trainer-1'], size: 1 }
    expect(await view({ as: 'student' })).to.deep.equal({ ...seen, joined: true, mayWrite: false })
    expect(await view({ for: 'telegram:7006' })).to.deep.equal({ ...seen, joined: false, mayWrite: false })
    expect(await view({ as: 'trainer' })).to.deep.equal({ ...seen, joined: false, mayWrite: true, size: 1 })
    expect((await fleet.ask('GET /v1/topics/choir/members', { as: 'staff' })).status).to.equal(403)
    const topicsOf = async (as: 'student' | 'staff' | 'operator') =>
      (await fleet.ask<PersonDetails>('GET /v1/people/student-1', { as })).json.topics
    expect(await topicsOf('student')).to.deep.equal(['choir'])
    expect(await topicsOf('operator')).to.deep.equal(['choir'])
    expect(await topicsOf('staff')).to.equal(undefined)
  })

  it('that are closed are joined through operators, and left by anyone', async () => {
    await put({ ...choir, open: false })
    expect((await me('PUT', { as: 'student' })).json.code).to.equal('topic-closed')
    const other = (method: string, person: string, as: 'operator' | 'staff' = 'operator') =>
      fleet.ask(`${method} /v1/topics/choir/members/${person}`, { as })
    expect((await other('PUT', 'anna', 'staff')).status).to.equal(403)
    expect((await other('PUT', 'anna')).status).to.equal(200)
    expect((await other('PUT', 'operator-1')).status, 'an operator, themselves').to.equal(200)
    expect((await other('PUT', 'admin-1')).json.code, 'of a higher role').to.equal('not-allowed')
    expect((await other('PUT', 'nobody')).json.code).to.equal('unknown-person')
    await fleet.ask('PUT /v1/topics/choir/members/student-1', { as: 'operator' })
    expect((await me('DELETE', { as: 'student' })).status).to.equal(200)
    await other('DELETE', 'anna')
    expect(await members()).to.deep.equal(['operator-1'])
  })

  it('are written to as they are when the message is accepted', async () => {
    await fleet.directory.addMembers('own', ['student-1'])
    for (const who of [{ as: 'student' }, { for: 'telegram:7006' }] as Who[]) await me('PUT', who)
    await fleet.directory.linkContact('telegram', 'anna', '101')
    await fleet.ask('PUT /v1/topics/choir/members/anna', { as: 'operator' })
    const rehearsal = await fleet.ask<RehearsalView>(
      'POST /v1/audiences:resolve',
      { as: 'trainer' },
      { to: ['topic:choir', 'group:own'] },
    )
    expect(rehearsal.json).to.include({ people: 5, overlap: 2 })
    const sent = await fleet.ask<{ key: string; audience: { size: number } }>(
      'POST /v1/messages',
      { as: 'trainer' },
      message,
    )
    expect([sent.status, sent.json.audience.size]).to.deep.equal([201, 3])
    await me('DELETE', { as: 'student' })
    await put({ ...choir, name: { ru: 'Капелла', en: 'Chapel' } })
    const history = async () =>
      (await fleet.ask<HistoryView>(`GET /v1/histories/${sent.json.key}`, { as: 'trainer' })).json
    expect(await history()).to.deep.include({ to: ['topic:choir'], senderLine: 'Имя trainer-1 · Хор' })
    await fleet.ask('DELETE /v1/topics/choir', { as: 'operator' })
    expect((await history()).audience?.size).to.equal(3)
    expect((await fleet.ask('POST /v1/messages', { as: 'trainer' }, message)).json).to.include({
      code: 'unknown-audience',
      field: 'to.0',
    })
  })

  it('are written to by their senders and nobody else, an operator included', async () => {
    await me('PUT', { as: 'student' })
    const code = async (who: Who) => (await fleet.ask('POST /v1/messages', who, message)).json.code
    expect(await code({ for: 'telegram:7006' })).to.equal('not-your-audience')
    await put({ ...choir, senders: ['trainer-2'] })
    for (const as of ['trainer', 'staff', 'operator', 'admin'] as const) {
      expect(await code({ as })).to.equal('not-your-audience')
    }
    expect(await code({ for: 'telegram:7006' })).to.equal(undefined)
  })

  it('are noted in the audit: who joined, who left, what was changed; and nothing that changed nothing', async () => {
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE'] as const) await me(method, { for: 'telegram:7005' })
    await put()
    await put({ ...choir, open: false })
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=4', { as: 'operator' })).json
    const about = { via: 'telegram', by: 'student-1', person: 'student-1', detail: 'topic:choir' }
    const facts = (open: string) => `Хор / Choir; ${open}; senders: staff trainer-1`
    const shown = lines.map(({ id: _, at: __, ...line }) => line)
    expect(shown.slice(0, 3)).to.deep.equal([
      {
        action: 'topic.changed',
        by: 'operator-1',
        via: 'api',
        detail: 'topic:choir',
        before: facts('open'),
        after: facts('closed'),
      },
      { action: 'topic.left', ...about },
      { action: 'topic.joined', ...about },
    ])
  })

  it('are joined by no import', async () => {
    const csv = 'id,name,role,groups,topics,topic\nanna,Анна,student,own,choir,choir\n'
    await fleet.ask('POST /v1/imports', { as: 'admin', headers: { 'content-type': 'text/csv' } }, csv)
    expect(await members()).to.deep.equal([])
  })
})
