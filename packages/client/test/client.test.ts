import { expect } from 'chai'
import { ApiError } from '../src/index.ts'
import { startFleet } from './fleet.ts'

describe('the client', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const far = new Date(Date.now() + 300 * 86_400_000).toISOString()
  const message = { to: ['group:own'], text: 'Hello' }

  it('sends, watches and reads who got it', async () => {
    const { client } = fleet
    const { key } = await client.issueKey()
    await client.put(key, message)
    const states: string[] = []
    for await (const { state } of client.watch(key)) states.push(state)
    expect(states.at(-1)).to.equal('settled')
    const report = await client.track(key, 10)
    expect(report).to.include({ settled: true, ending: 'some' })
    expect(report.history.people).to.include({ sentToChat: 1, notDelivered: 1, withoutContact: 1 })

    const rows = []
    for await (const row of client.allReceipts(key)) rows.push(row)
    expect(rows.map(({ person, name }) => [person, name])).to.deep.equal([
      ['anna', 'Анна Каренина'],
      ['boris', '=HYPERLINK("x")'],
      ['clara', 'Clara, the "third"'],
    ])
    expect(rows[0]?.channels.vk).to.include({ state: 'sent', providerId: 'id-1001' })
    expect(rows[1]?.channels.telegram).to.include({ state: 'failed' })
    const failed = await client.receipts(key, { channel: 'telegram', state: 'failed' })
    expect(failed.receipts.map(({ person }) => person)).to.deep.equal(['boris'])
    const first = await client.receipts(key, { limit: 1 })
    expect([first.receipts.length, first.next]).to.deep.equal([1, 1])

    const csv = await new Response(await client.receiptsCsv(key)).text()
    const lines = csv.split('\r\n')
    expect(lines[0]).to.equal(
      'ordinal,person,name,channel,state,at,provider_id,reason,detail,waiting_at,waiting_cause,told_by_voice,told_at,confirmed_by,confirmed_at,sent_with',
    )
    expect(csv).to.match(/^0,anna,Анна Каренина,telegram,sent,\d{4}-[\d:.T-]+Z,id-1001,,,,,,,,,\r$/m)
    expect(csv).to.contain(`1,boris,"'=HYPERLINK(""x"")",telegram,failed,`)
    expect(csv).to.contain('2,clara,"Clara, the ""third""",vk,no-contact,20')
  })

  it('waits in the call', async () => {
    const report = await fleet.client.sendAndWait({ ...message, to: ['user:anna'] }, 20)
    expect(report).to.include({ settled: true, ending: 'handed-over' })
  })

  it('reschedules, lists and cancels', async () => {
    const { client } = fleet
    const { key } = await client.send({ ...message, at: far })
    const sooner = new Date(Date.now() + 200 * 86_400_000).toISOString()
    expect((await client.reschedule(key, sooner)).at).to.equal(sooner)
    expect((await client.histories({ limit: 1 })).histories[0]?.key).to.equal(key)
    expect((await client.cancel(key)).outcome).to.equal('cancelled')
  })

  it('sends many in one request', async () => {
    async function* messages() {
      for (let number = 0; number < 500; number++) yield { ...message, text: `message ${number}`, at: far }
    }
    const statuses = []
    for await (const { status } of fleet.client.sendBulk(messages())) statuses.push(status)
    expect(statuses).to.deep.equal(Array(500).fill(201))
  })

  it('keeps the directory', async () => {
    const { admin } = fleet
    const progress: number[] = []
    const report = await admin.importRoster('id,name,role\nzoya,Zoya,student\n', {
      allLines: true,
      onProgress: (done) => progress.push(done),
    })
    expect(report).to.include({ created: 1 })
    expect(progress).to.deep.equal([1])
    await admin.putPerson('zoya', { name: 'Zoya K.', role: 'student' })
    await admin.putGroup('new', { name: 'New' })
    expect((await admin.addMembers('new', ['zoya'])).changed).to.equal(1)
    expect((await admin.members('new')).people).to.deep.equal(['zoya'])
    await admin.putCohort('wide', { name: 'Wide', groups: ['new'] })
    expect((await admin.cohort('wide')).groups).to.deep.equal(['new'])
    await admin.linkContact('sms', 'zoya', '8 900 123-45-67')
    expect((await admin.contactOwner('sms', '+79001234567')).person).to.equal('zoya')
    expect((await admin.person('zoya')).contacts.sms).to.include({ address: '+79001234567', state: 'active' })
    await admin.unlinkContact('sms', 'zoya')
    await admin.removeMember('new', 'zoya')
    await admin.deleteCohort('wide')
    await admin.deleteGroup('new')
    await admin.deletePerson('zoya')
    expect((await admin.people({ limit: 1000 })).people.map(({ id }) => id)).not.to.include('zoya')
  })

  it('makes and revokes API keys', async () => {
    const { admin } = fleet
    const { id } = await admin.createApiKey({ owner: 'zoya', role: 'student', label: 'phone' })
    expect((await admin.apiKeys()).apiKeys.map((key) => key.id)).to.include(id)
    await admin.revokeApiKey(id)
    expect((await admin.apiKeys()).apiKeys.map((key) => key.id)).not.to.include(id)
  })

  it('issues codes, records consent, rehearses and reads the audit', async () => {
    const { admin, client } = fleet
    expect(await admin.enrol({ channel: 'sms', person: 'clara' })).to.include({ person: 'clara', channel: 'sms' })
    expect(await admin.setConsent('anna', 'vk', { allowed: false })).to.include({ person: 'anna', allowed: false })
    const reach = await client.rehearse({ to: ['user:anna'], channels: ['vk'] })
    expect(reach.unreachable).to.deep.equal([{ person: 'anna', name: 'Анна Каренина', channels: { vk: 'opted-out' } }])
    await admin.setConsent('anna', 'vk', { allowed: true })
    const { lines } = await admin.audit({ limit: 3 })
    expect(lines.map(({ action }) => action)).to.deep.equal(['consent.given', 'consent.withdrawn', 'enrolment.issued'])
    expect(await client.limits()).to.include({ limit: null })
    expect((await client.findPeople({ group: 'own', name: 'анна' })).people.map(({ id }) => id)).to.deep.equal(['anna'])
  })

  it('throws problems with their field', async () => {
    const error = await fleet.client.send({ ...message, to: ['group:none'] }).catch((error: unknown) => error)
    expect(error).to.be.instanceOf(ApiError)
    expect((error as ApiError).problem).to.include({ status: 422, code: 'unknown-audience', field: 'to.0' })
  })

  it('recounts', async () => {
    const { history } = await fleet.client.sendAndWait(message, 20)
    expect(await fleet.client.recount(history.key)).to.include({ balanced: true })
  })
})
