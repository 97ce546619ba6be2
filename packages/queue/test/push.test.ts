import { type AuditPage, type PersonDetails, refOfMember, shardNames, systemSender } from '@courier-fleet/api-types'
import { madeUpKeys, pushAddressOf } from '@courier-fleet/channels'
import { keys, noteTarget } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('notifications in a browser', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  const browser = (name: string) => ({ endpoint: `https://push.example/${name}`, keys: madeUpKeys })
  const put = (body: object, as: 'student' | 'trainer' | 'operator' = 'student') =>
    fleet.ask('PUT /v1/push-subscription', { as }, body)
  const contactOf = async (person: string, as: 'student' | 'operator' = 'operator') =>
    (await fleet.ask<PersonDetails>(`GET /v1/people/${person}`, { as })).json.contacts.push
  const ownerOf = (name: string) => fleet.redis.get(keys.contactOf('push', pushAddressOf(browser(name))))

  /** of what the fleet itself has sent */
  async function channelsOfSent(shard: string): Promise<string[]> {
    const entries = await fleet.redis.xrange(keys.sent(shard, systemSender), '-', '+')
    const refs = entries.map(([, fields]) => refOfMember(shard, `${systemSender}:${fields[1]}`))
    return Promise.all(refs.map(async (ref) => JSON.stringify(await fleet.redis.hgetall(keys.history(ref)))))
  }

  it('have a key to subscribe with, the same each time', async () => {
    const first = await fleet.ask<{ publicKey: string }>('GET /v1/push-key', { as: 'student' })
    const second = await fleet.ask<{ publicKey: string }>('GET /v1/push-key', { as: 'student' })
    expect(first.json.publicKey).to.match(/^B[\w-]{86}$/)
    expect(second.json).to.deep.equal(first.json)
  })

  it('are turned on for oneself, the latest browser alone, and nobody is shown the subscription', async () => {
    expect((await put(browser('one'))).status).to.equal(204)
    expect((await put(browser('two'))).status).to.equal(204)
    const shown = { address: `push.example …${madeUpKeys.p256dh.slice(-8)}`, state: 'active' }
    expect(await contactOf('student-1', 'student')).to.include(shown)
    expect(await contactOf('student-1')).to.include(shown)
    expect((await contactOf('student-1'))?.agreed?.by).to.equal('page')
    const { json } = await fleet.ask<object>('GET /v1/people/student-1/data', { as: 'admin' })
    const { json: audit } = await fleet.ask<AuditPage>('GET /v1/audit', { as: 'operator' })
    for (const told of [json, audit].map((each) => JSON.stringify(each))) {
      expect(told).not.to.contain(madeUpKeys.auth)
      expect(told).not.to.contain('push.example/two')
    }
    expect(audit.lines.some(({ action, channel }) => action === 'contact.linked' && channel === 'push')).to.equal(true)
    expect(await ownerOf('one')).to.equal(null)
    expect(await ownerOf('two')).to.equal('student-1')
  })

  it('go with the browser to whoever turns them on there, and off with the contact', async () => {
    await put(browser('shared'))
    await put(browser('shared'), 'trainer')
    expect(await contactOf('student-1')).to.equal(undefined)
    expect((await contactOf('trainer-1'))?.state).to.equal('active')
    expect((await fleet.ask('DELETE /v1/contacts/push/trainer-1', { as: 'trainer' })).status).to.equal(204)
    expect(await ownerOf('shared')).to.equal(null)
  })

  it('are refused to what is no subscription, and to addresses that may not be called', async () => {
    const refused: [object, number, string][] = [
      [{ ...browser('x'), endpoint: 'https://push.example:6379/x' }, 422, 'refused-url'],
      [{ ...browser('x'), endpoint: 'https://192.168.0.1/x' }, 422, 'refused-url'],
      [{ ...browser('x'), keys: { ...madeUpKeys, p256dh: `B${'A'.repeat(86)}` } }, 422, 'bad-address'],
      [{ ...browser('x'), keys: { ...madeUpKeys, auth: 'short' } }, 422, 'bad-address'],
      [{ ...browser('x'), expirationTime: null }, 422, 'invalid'],
    ]
    for (const [body, status, code] of refused) {
      const answer = await put(body)
      expect([answer.status, answer.json.code], JSON.stringify(body)).to.deep.equal([status, code])
      expect(JSON.stringify(answer.json)).not.to.contain(madeUpKeys.auth)
    }
  })

  it('have no codes: whoever sits at the browser could read them', async () => {
    await noteTarget(fleet.redis, 'push', 'sandbox')
    await put(browser('mine'))
    await fleet.codeFor('student-1')
    const sent = await Promise.all(shardNames(16).map((name) => channelsOfSent(name)))
    expect(sent.flat().join(' ')).to.contain('telegram').and.not.contain('push')
  })
})
