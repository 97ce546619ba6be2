/** What operators see and do of everybody's messages, and what the audit says of who made something happen. */
import type { AuditLine, HistoriesPage, HistoryView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { rights } from '../src/access/rights.ts'
import { far } from './service.ts'
import { startUniversity, type University, type Who } from './university.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }
const teacher: Who = { as: 'trainer' }
const operator: Who = { as: 'operator' }

describe('operators and the messages of others', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const send = async (who: Who, body: object = message) =>
    (await fleet.ask<{ key: string }>('POST /v1/messages', who, body)).json.key
  const list = (query: string, who: Who = operator) => fleet.ask<HistoriesPage>(`GET /v1/histories${query}`, who)
  const keysOf = async (query: string) => (await list(query)).json.histories.map(({ key }) => key)
  const audit = async (limit = 1) =>
    (await fleet.ask<{ lines: AuditLine[] }>(`GET /v1/audit?limit=${limit}`, operator)).json.lines

  it('see those of one sender, and of all of them but the fleet itself, newest first, page by page', async () => {
    const sent: string[] = []
    for (let i = 0; i < 12; i += 1) sent.unshift(await send({ as: (['trainer', 'staff', 'admin'] as const)[i % 3] }))
    await fleet.codeFor('staff-1')
    expect(await keysOf('?sender=*')).to.deep.equal(sent)
    expect(await keysOf('?sender=staff-1')).to.deep.equal(sent.filter((key) => key.includes('.staff-1.')))
    expect(await keysOf('')).to.deep.equal([])
    const paged: string[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { json } = await list(`?sender=*&limit=5${next === '' ? '' : `&before=${next}`}`)
      paged.push(...json.histories.map(({ key }) => key))
      next = json.next
    }
    expect(paged).to.deep.equal(sent)
  })

  it('are the only ones who do, and not through an inbound process', async () => {
    await send({ as: 'staff' })
    for (const who of [teacher, { as: 'staff' }, { for: 'telegram:7003' }] as Who[]) {
      for (const query of ['?sender=*', '?sender=trainer-2']) {
        const { status, json } = await fleet.ask(`GET /v1/histories${query}`, who)
        expect([who, status, json.code]).to.deep.equal([who, 403, 'not-allowed'])
      }
    }
    expect((await list('?sender=trainer-1', teacher)).status, 'their own').to.equal(200)
    expect((await list('?sender=a.b')).status).to.equal(400)
  })

  it('alone do what concerns everybody, and administrators what gives power', () => {
    const least = {
      operator: [
        'POST /v1/histories/{key}/release',
        'PUT /v1/channels/{channel}/pause',
        'DELETE /v1/channels/{channel}/pause',
        'DELETE /v1/channels/{channel}',
        'GET /v1/contacts',
        'GET /v1/audit',
      ],
      admin: [
        'PUT /v1/people/{id}',
        'DELETE /v1/people/{id}',
        'PUT /v1/groups/{id}',
        'POST /v1/groups/{id}/members',
        'PUT /v1/cohorts/{id}',
        'POST /v1/imports',
        'PUT /v1/contacts/{channel}/{person}',
        'GET /v1/api-keys',
        'POST /v1/api-keys',
        'DELETE /v1/api-keys/{id}',
      ],
    }
    for (const [role, operations] of Object.entries(least))
      for (const operation of operations) expect(rights[operation]?.least, operation).to.equal(role)
  })

  it('move and stop them, though their sender is gone; the audit says who, when and from what', async () => {
    const key = await send(teacher)
    await fleet.ask('DELETE /v1/people/trainer-1', { as: 'admin' })
    const sooner = new Date(Date.now() + 86_400_000).toISOString()
    const browser = await fleet.signIn('operator-1')
    const moved = await fleet.ask<HistoryView>(`PATCH /v1/histories/${key}`, { browser }, { at: sooner })
    expect([moved.status, moved.json.at]).to.deep.equal([200, sooner])
    const about = { by: 'operator-1', person: 'trainer-1', history: key }
    expect((await audit())[0]).to.include({
      action: 'message.rescheduled',
      via: 'web',
      before: far,
      after: sooner,
      ...about,
    })
    expect((await fleet.ask(`DELETE /v1/histories/${key}`, operator)).json).to.include({ outcome: 'cancelled' })
    const cancelled = { action: 'message.cancelled', via: 'api', before: 'scheduled', after: 'cancelled', ...about }
    expect((await audit())[0]).to.include(cancelled)
  })

  it('have it told in the audit who made something happen, from where, and what it was before', async () => {
    const told = async (
      action: AuditLine['action'],
      line: Partial<AuditLine>,
      call: string,
      who: Who,
      body?: unknown,
    ) => {
      const { status, json } = await fleet.ask(call, who, body)
      expect(status, `${call}: ${JSON.stringify(json)}`).to.be.within(200, 299)
      const found = (await audit(3)).find((each) => each.action === action)
      expect(found, call).to.include({ action, ...line })
    }
    const admin: Who = { as: 'admin' }
    const byAdmin = { by: 'admin-1', via: 'api' }
    await told(
      'message.sent',
      { by: 'trainer-1', via: 'telegram', detail: 'group:own: 3 people', after: far },
      'POST /v1/messages',
      { for: 'telegram:7001' },
      message,
    )
    const group = { name: 'Own group', owners: ['trainer-2'] }
    const owners = {
      detail: 'group:own',
      before: 'Own group; owners: trainer-1',
      after: 'Own group; owners: trainer-2',
    }
    await told('group.changed', { ...byAdmin, ...owners }, 'PUT /v1/groups/own', admin, group)
    await told(
      'members.added',
      { ...byAdmin, detail: 'group:own', after: 'dmitri' },
      'POST /v1/groups/own/members',
      admin,
      { people: ['dmitri'] },
    )
    await told(
      'members.removed',
      { ...byAdmin, detail: 'group:own', person: 'dmitri' },
      'DELETE /v1/groups/own/members/dmitri',
      admin,
    )
    const cohort = { name: 'All', owners: ['staff-1'], groups: ['own'] }
    const groups = { before: 'All; owners: staff-1; groups: other own', after: 'All; owners: staff-1; groups: own' }
    await told('cohort.changed', { ...byAdmin, detail: 'cohort:all', ...groups }, 'PUT /v1/cohorts/all', admin, cohort)
    await told('cohort.removed', { ...byAdmin, before: groups.after }, 'DELETE /v1/cohorts/all', admin)
    await told(
      'group.removed',
      { ...byAdmin, detail: 'group:own', before: owners.after },
      'DELETE /v1/groups/own',
      admin,
    )
    const person = { name: 'Имя staff-1', role: 'trainer', timeZone: 'Europe/Moscow', language: 'ru' }
    const role = { before: 'staff, Имя staff-1, Europe/Moscow, ru', after: 'trainer, Имя staff-1, Europe/Moscow, ru' }
    await told('person.role', { ...byAdmin, person: 'staff-1', ...role }, 'PUT /v1/people/staff-1', admin, person)
    const csv = { ...admin, headers: { 'content-type': 'text/csv' } }
    const roster = 'id,name,role\nstaff-1,Имя staff-1,admin\n'
    await told(
      'person.role',
      { ...byAdmin, person: 'staff-1', before: 'trainer', after: 'admin' },
      'POST /v1/imports',
      csv,
      roster,
    )
    const [newest] = await audit()
    expect(newest?.action).to.equal('people.imported')
    expect(newest?.detail, 'which list, and what came of it').to.match(
      /^[0-9a-f]{16}: created=0, updated=1, removed=0, rejected=0$/,
    )
  })

  it('have one line for a bulk request, and none for a repeat', async () => {
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'bulk' }
    const lines = [1, 2, 3].map((i) => `${JSON.stringify({ ...message, text: `${i}` })}\n`).join('')
    for (let i = 0; i < 2; i += 1) await fleet.ask('POST /v1/messages:bulk', { ...teacher, headers }, lines)
    const sent = (await audit(10)).filter(({ action }) => action === 'message.sent')
    expect(sent.map(({ detail }) => detail)).to.deep.equal(['3 messages in bulk, this one first'])
  })
})
