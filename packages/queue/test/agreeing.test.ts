/** That people have agreed to be written to: how it comes about, who is shown it, and what a rehearsal says where it is needed. */
import type { EnrolmentView, PersonData, PersonDetails, RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { startUniversity, type University, type Who } from './university.ts'

describe('agreeing to be written to', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
    for (const [index, person] of ['anna', 'boris', 'clara'].entries())
      await fleet.directory.linkContact('telegram', person, String(8001 + index))
  })
  after(() => fleet.stop())

  const contactsOf = async (person: string, who: Who = { as: 'operator' }) =>
    (await fleet.ask<PersonDetails>(`GET /v1/people/${person}`, who)).json.contacts
  const rehearse = async () => {
    const body = { to: ['group:own'], text: 'Hi', channels: ['telegram'] }
    const { json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'trainer' }, body)
    return [json.reachable, json.channels.telegram?.['no-consent'], json.unreachable.map(({ person }) => person)]
  }
  const set = (consent: string, version: number) => {
    const who = { as: 'operator', headers: { 'if-match': `"${version}"` } } as const
    return fleet.ask('PATCH /v1/settings', who, { consent })
  }

  it('is needed where operators say so: a rehearsal counts who has not, and nobody agrees in their place', async () => {
    expect(await rehearse()).to.deep.equal([3, 0, []])
    expect((await set('perhaps', 0)).status).to.equal(422)
    expect((await set('required', 0)).status).to.equal(200)
    expect(await rehearse()).to.deep.equal([0, 3, ['anna', 'boris', 'clara']])
    for (const person of ['anna', 'boris', 'clara'])
      await fleet.ask(`PUT /v1/people/${person}/consents/telegram`, { as: 'operator' }, { allowed: true })
    await fleet.ask('PUT /v1/contacts/telegram/anna', { as: 'admin' }, { address: '8001' })
    expect(await rehearse(), 'said by the office').to.deep.equal([0, 3, ['anna', 'boris', 'clara']])
  })

  it('comes by a code, by START and on their own page; the record says which, and when', async () => {
    const { json } = await fleet.ask<EnrolmentView>(
      'POST /v1/enrolments',
      { as: 'operator' },
      { channel: 'telegram', person: 'anna' },
    )
    const inbound = { as: 'inbound' } as const
    const redeemed = { channel: 'telegram', address: '8001', code: json.code }
    expect((await fleet.ask('POST /v1/enrolments:redeem', inbound, redeemed)).status).to.equal(200)
    const start = { channel: 'telegram', address: '8002', allowed: true }
    expect((await fleet.ask('POST /v1/consents', inbound, start)).status).to.equal(200)
    const browser = await fleet.signIn('clara')
    expect(json.agreement, 'shown beside the code').to.match(/^Отправляя код, вы соглашаетесь/)
    const agree = (wording: string) =>
      fleet.ask('PUT /v1/people/clara/consents/telegram', { browser }, { allowed: true, wording })
    expect((await agree('code-1-ru')).status, 'a wording of no page').to.equal(422)
    expect((await agree('page-1-en')).status).to.equal(200)
    const told = await Promise.all(
      ['anna', 'boris', 'clara'].map(async (id) => (await contactsOf(id)).telegram?.agreed),
    )
    expect(told.map((agreed) => agreed?.by)).to.deep.equal(['code', 'start', 'page'])
    expect(told.map((agreed) => agreed?.wording)).to.deep.equal(['code-1-ru', undefined, 'page-1-en'])
    expect(told.map((agreed) => agreed?.words)).to.deep.equal([json.agreement, undefined, 'I want messages here'])
    for (const agreed of told) expect(agreed?.at).to.be.within(Date.now() - 60_000, Date.now() + 1000)
    expect(await rehearse()).to.deep.equal([3, 0, []])
  })

  it('is shown to the person and to operators, is in their data, and ends with the contact', async () => {
    const browser = await fleet.signIn('anna')
    expect((await contactsOf('anna', { browser })).telegram?.agreed?.by).to.equal('code')
    expect((await contactsOf('anna', { as: 'staff' })).telegram).to.deep.equal({ state: 'active' })
    const { json } = await fleet.ask<PersonData>('GET /v1/people/anna/data', { as: 'admin' })
    expect(json.person?.contacts.telegram?.agreed).to.include({ by: 'code', wording: 'code-1-ru' })
    expect(json.person?.contacts.telegram?.agreed?.words).to.match(/^Отправляя код/)
    const stop = { channel: 'telegram', address: '8001', allowed: false }
    await fleet.ask('POST /v1/consents', { as: 'inbound' }, stop)
    const stopped = (await contactsOf('anna')).telegram
    expect([stopped?.state, stopped?.agreed?.by], 'when it was given, and since when it is not').to.deep.equal([
      'opted-out',
      'code',
    ])
    expect(stopped?.since).to.be.at.least(stopped?.agreed?.at as number)
    await fleet.ask('POST /v1/consents', { as: 'inbound' }, { ...stop, allowed: true })
    expect(await rehearse()).to.deep.equal([3, 0, []])
    await fleet.ask('DELETE /v1/contacts/telegram/anna', { as: 'operator' })
    await fleet.ask('PUT /v1/contacts/telegram/anna', { as: 'admin' }, { address: '8001' })
    expect(await rehearse()).to.deep.equal([2, 1, ['anna']])
    await set('import-is-enough', 1)
    expect(await rehearse()).to.deep.equal([3, 0, []])
  })

  it('ends with STOP, which is in their data also when they have no contact there any more', async () => {
    const stops = async () => {
      const { json } = await fleet.ask<PersonData>('GET /v1/people/anna/data', { as: 'admin' })
      return json.stops
    }
    await fleet.ask('POST /v1/consents', { as: 'inbound' }, { channel: 'telegram', address: '8001', allowed: false })
    expect(await stops(), 'the contact says so').to.deep.equal([])
    const since = (await contactsOf('anna')).telegram?.since
    await fleet.ask('DELETE /v1/contacts/telegram/anna', { as: 'operator' })
    expect((await stops())?.map((each) => ({ ...each, since: Date.parse(each.since) }))).to.deep.equal([
      { channel: 'telegram', since },
    ])
  })
})
