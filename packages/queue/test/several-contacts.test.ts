/** Several phones of one person over HTTP: who may link and unlink them, how many, and who sees them. */
import type { PersonDetails, Plan, RehearsalView } from '@courier-fleet/api-types'
import { bucketOf, keys, useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University, type Who } from './university.ts'

const [first, second, third, fourth] = ['+79005550311', '+79005550322', '+79005550333', '+79005550344'] as const
const path = '/v1/contacts/sms/anna'
const budgets = { day: {}, month: { parts: 100 }, exempt: [] }

describe('several contacts of one person', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
    await useChannel(fleet.redis, 16, 'sms')
  })
  after(() => fleet.stop())
  beforeEach(async () => {
    await fleet.ask(`DELETE ${path}`, { as: 'admin' })
    expect((await fleet.ask(`PUT ${path}`, { as: 'admin' }, { address: first })).status).to.equal(204)
    for (const address of [second, third]) expect((await add(address)).status).to.equal(204)
  })

  const add = (address: string, to = path, who: Who = { as: 'admin' }) => fleet.ask(`POST ${to}`, who, { address })
  const remove = (address: string, who: Who = { as: 'admin' }) =>
    fleet.ask(`DELETE ${path}?address=${encodeURIComponent(address)}`, who)
  const contact = async (who: Who = { as: 'operator' }) =>
    (await fleet.ask<PersonDetails>('GET /v1/people/anna', who)).json.contacts.sms
  const all = async () => {
    const { address, others = [] } = (await contact()) ?? {}
    return [address, ...others.map((other) => other.address)]
  }
  const owner = async (address: string) => {
    const asked = `GET /v1/contacts?channel=sms&address=${encodeURIComponent(address)}`
    const { status, json } = await fleet.ask<{ person: string }>(asked, { as: 'operator' })
    return status === 200 ? json.person : status
  }
  const problemOf = ({ status, json }: Awaited<ReturnType<typeof add>>) => [status, json.code, json.field]

  it('are three at most, in the order they were linked, and a fourth belongs to nobody', async () => {
    expect(await all()).to.deep.equal([first, second, third])
    expect(problemOf(await add(fourth))).to.deep.equal([409, 'enough-contacts', 'address'])
    expect(await owner(fourth)).to.equal(404)
    expect(await fleet.redis.exists(keys.contactOf('sms', fourth))).to.equal(0)
    expect((await add('8 (900) 555-03-22')).status, 'one that they have, however it is written').to.equal(204)
    expect(await all()).to.deep.equal([first, second, third])
  })

  it('a fourth is not taken from whoever has it', async () => {
    expect((await fleet.ask('PUT /v1/contacts/sms/boris', { as: 'admin' }, { address: fourth })).status).to.equal(204)
    expect(problemOf(await add(fourth))).to.deep.equal([409, 'enough-contacts', 'address'])
    expect(await owner(fourth)).to.equal('boris')
    await fleet.ask('DELETE /v1/contacts/sms/boris', { as: 'admin' })
  })

  it('one is taken from whoever had it, and they are told, but for their others', async () => {
    expect((await add(second, '/v1/contacts/sms/boris')).status).to.equal(204)
    expect(await all()).to.deep.equal([first, third])
    expect(await owner(second)).to.equal('boris')
    await fleet.ask('DELETE /v1/contacts/sms/boris', { as: 'admin' })
  })

  it('are of SMS alone; elsewhere there is one, and what is no address is none', async () => {
    for (const [channel, address] of [
      ['telegram', '70009999'],
      ['vk', '5009999'],
    ])
      expect(problemOf(await add(address as string, `/v1/contacts/${channel}/anna`))).to.deep.equal([
        422,
        'one-contact',
        'channel',
      ])
    expect(problemOf(await add('not a number'))).to.deep.equal([422, 'bad-address', 'address'])
    expect(problemOf(await add(fourth, '/v1/contacts/sms/nobody-here')).slice(0, 2)).to.deep.equal([
      404,
      'unknown-person',
    ])
  })

  it('one is unlinked by its address, the next comes first; without an address all of them', async () => {
    expect((await remove(first)).status).to.equal(204)
    expect(await all()).to.deep.equal([second, third])
    expect([await owner(first), await owner(second)]).to.deep.equal([404, 'anna'])
    expect((await remove(first)).status, 'nothing to unlink').to.equal(204)
    expect((await remove(third)).status).to.equal(204)
    expect(await fleet.redis.hget(keys.contacts(bucketOf('anna'), 'sms'), 'anna'), 'as of whoever has one').to.equal(
      second,
    )
    expect(await contact()).to.deep.equal({ address: second, state: 'active' })
    await add(third)
    expect((await fleet.ask(`DELETE ${path}`, { as: 'admin' })).status).to.equal(204)
    expect(await Promise.all([first, second, third].map(owner))).to.deep.equal([404, 404, 404])
    expect(await contact()).to.equal(undefined)
  })

  it('the first is replaced alone', async () => {
    expect((await fleet.ask(`PUT ${path}`, { as: 'admin' }, { address: fourth })).status).to.equal(204)
    expect(await all()).to.deep.equal([fourth, second, third])
    expect(await owner(first)).to.equal(404)
    expect((await fleet.ask(`PUT ${path}`, { as: 'admin' }, { address: third })).status).to.equal(204)
    expect(await all(), 'one that they have stays where it is').to.deep.equal([fourth, second, third])
  })

  it('may be linked by an admin alone, and unlinked by their person', async () => {
    for (const as of ['student', 'trainer', 'staff', 'operator'] as const)
      expect(problemOf(await add(fourth, path, { as })).slice(0, 2), as).to.deep.equal([403, 'not-allowed'])
    expect((await add(fourth, path, {})).status).to.equal(401)
    for (const as of ['student', 'trainer', 'staff'] as const)
      expect((await remove(second, { as })).status, as).to.equal(403)
    expect((await remove(second, { as: 'operator' })).status).to.equal(204)
    expect(await all()).to.deep.equal([first, third])
    for (const address of ['+79005550355', '+79005550366'])
      expect((await add(address, '/v1/contacts/sms/student-1')).status).to.equal(204)
    const browser = await fleet.signIn('student-1')
    const own = `DELETE /v1/contacts/sms/student-1?address=${encodeURIComponent('+79005550355')}`
    expect((await fleet.ask(own, { browser })).status).to.equal(204)
    const { json } = await fleet.ask<PersonDetails>('GET /v1/people/student-1', { browser })
    expect(json.contacts.sms).to.deep.equal({ address: '+79005550366', state: 'active' })
  })

  it('are seen by their person and by operators, and nobody else knows that there are others', async () => {
    expect((await contact({ as: 'admin' }))?.others).to.deep.equal([
      { address: second, state: 'active' },
      { address: third, state: 'active' },
    ])
    expect(await contact({ as: 'staff' })).to.deep.equal({ state: 'active' })
    expect((await fleet.ask('GET /v1/people/anna', { as: 'trainer' })).status).to.equal(403)
    await add('+79005550377', '/v1/contacts/sms/student-1')
    await add('+79005550388', '/v1/contacts/sms/student-1')
    const browser = await fleet.signIn('student-1')
    const { json } = await fleet.ask<PersonDetails>('GET /v1/people/student-1', { browser })
    expect(json.contacts.sms?.others).to.deep.include({ address: '+79005550388', state: 'active' })
  })

  it('cost as many SMS at most as can be written to, and the forecast says one', async () => {
    await fleet.set({ tariffs: { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] }, budgets })
    const rehearse = async () => {
      const body = { to: ['user:anna'], text: 'ж'.repeat(80), channels: ['sms'] }
      return (await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, body)).json.plan as Plan
    }
    const found = await rehearse()
    expect(found.forecast?.cost).to.include({ parts: 2, millionths: 4_000_000 })
    expect(found.costAtMost).to.include({ parts: 6, millionths: 12_000_000 })
    await fleet.directory.markContact('sms', 'anna', second, { state: 'blocked', reason: 'barred', agoMs: () => 0 })
    expect((await rehearse()).costAtMost).to.include({ parts: 4, millionths: 8_000_000 })
    await remove(third)
    expect((await rehearse()).costAtMost).to.include({ parts: 2, millionths: 4_000_000 })
    await fleet.set({})
  })
})
