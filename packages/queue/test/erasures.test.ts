/** What erasures look for: also what becomes known of somebody until it is their turn, and tries of others in their name. */
import { type ErasureList, historyKeyOf, shardName } from '@courier-fleet/api-types'
import { createDirectory } from '@courier-fleet/directory'
import { type AuditEntry, keys, type RedisNode, writeAudit } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { findAnywhere } from '../../../test/whole-redis.ts'
import { reserveBudget } from '../../couriers/src/engine/rules/budget-scripts.ts'
import { bytes } from '../../directory/test/csv-bytes.ts'
import { InterruptedRedis } from '../../directory/test/interrupted-redis.ts'
import { createFixture } from '../../notifier/test/fixture.ts'
import { startUniversity, type University } from './university.ts'

const phone = '+79005550377'

describe('erasures', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  /** So long after each was removed nothing of theirs is under way any more. */
  async function untilErased(): Promise<void> {
    let nowMs = Date.now()
    fleet.clock.now = () => nowMs
    await until(async () => {
      nowMs += 20_000
      return (await under()) === 0
    }, 'all are erased')
  }

  const under = async () => (await fleet.ask<ErasureList>('GET /v1/erasures', { as: 'admin' })).json.erasures.length
  const erase = async (person: string) => {
    const { status } = await fleet.ask(`POST /v1/people/${person}:erase`, { as: 'admin' }, { reason: 'left' })
    expect(status).to.equal(202)
  }

  it('look for an address that was linked after they were asked for', async () => {
    await erase('anna')
    await until(async () => (await fleet.directory.findPerson('anna')) === undefined, 'the first is under way')
    await erase('boris')
    const linked = await fleet.ask('PUT /v1/contacts/sms/boris', { as: 'admin' }, { address: phone })
    expect(linked.status).to.equal(204)
    // what a caller was answered once: it has the address, and no name
    const answer = keys.idempotency('staff-1', 'a-call')
    await fleet.redis.set(answer, JSON.stringify({ answer: { status: 200, body: `{"address":"${phone}"}` } }))
    await untilErased()
    expect(await fleet.redis.exists(answer)).to.equal(0)
  })

  it('find what messages of theirs have reserved of a budget, which stays spent', async () => {
    const [day, month] = [keys.budget('boris:day:2026-09-01:parts'), keys.budget('*:month:2026-09:parts')]
    const nameOf = (sender: string) =>
      `${historyKeyOf({ shard: shardName(0), sender, id: 'm1' })} sms normal 1700000000000-0 0`
    for (const budget of [day, month]) {
      const wanted = ['boris', 'anna'].map((sender) => ({ budget, name: nameOf(sender), cost: 2, deliveries: 1 }))
      await reserveBudget(fleet.redis, { budget, limit: 100, keptS: 86_400 }, wanted)
    }
    await erase('boris')
    await untilErased()
    expect(await fleet.redis.exists(day)).to.equal(0)
    expect(await fleet.redis.hgetall(month)).to.deep.equal({ spent: '4', [nameOf('anna')]: '2 1' })
    expect(await findAnywhere(fleet.redis as unknown as RedisNode, ['boris'])).to.deep.equal([])
  })

  it('find in the audit somebody whose id is a number, and leave the numbers that are nobody', async () => {
    const id = '20231234'
    const admin = { as: 'admin' } as const
    await fleet.directory.putPerson({ id, name: 'Зоя', role: 'student', timeZone: 'Europe/Moscow', language: 'ru' })
    const sent = await fleet.ask('POST /v1/messages', admin, { to: [`user:${id}`, 'user:anna'], text: 'Hi' })
    expect(sent.status).to.equal(201)
    const added = await fleet.ask('POST /v1/groups/own/members', admin, { people: ['anna', id] })
    expect(added.status).to.equal(200)
    const by = { by: 'admin-1', via: 'api' }
    await writeAudit(fleet.redis, { action: 'settings.changed', ...by, after: `budgets.${id}: {"of":"${id}"}` })
    const others: [AuditEntry['action'], object][] = [
      [
        'settings.changed',
        { detail: `version ${id}: ringSeconds`, before: 'ringSeconds: 1', after: `ringSeconds: ${id}` },
      ],
      ['message.corrected', { detail: `version ${id}` }],
      ['message.sent', { detail: `group:own: 20,231,234 people`, after: `2026-11-28T10:00:00.${id}Z` }],
      ['file.uploaded', { detail: `a.pdf, ${id} bytes, f1` }],
      ['receipts.sent-again', { detail: id }],
      ['people.imported', { detail: `created=${id}, updated=0` }],
    ]
    for (const [action, rest] of others) await writeAudit(fleet.redis, { action, ...by, ...rest })
    const lines = async () => (await fleet.redis.xrange(keys.audit, '-', '+')).map(([, fields]) => fields.join(' '))
    const named = (await lines()).filter((line) => /user:20231234|anna 20231234|"20231234"/.test(line))
    expect(named).to.have.length(3)
    await erase(id)
    await untilErased()
    const left = await lines()
    for (const line of named) expect(left).to.not.include(line)
    for (const [action, rest] of others) {
      const line = `action ${action} by admin-1 via api ${Object.entries(rest).flat().join(' ')}`
      expect(left).to.include(line)
    }
  })

  describe('of whom something had looked before', () => {
    let frail: InterruptedRedis
    beforeEach(async () => {
      frail = new InterruptedRedis(fleet.url)
      await frail.ping()
    })
    afterEach(() => frail.disconnect())

    const left = () => findAnywhere(fleet.redis as unknown as RedisNode, ['boris', phone.slice(2)])
    const eraseBoris = async () => {
      await erase('boris')
      await until(async () => {
        const jobs = Object.values(await fleet.redis.hgetall(keys.erasures))
        return jobs.some((job) => JSON.parse(job).removedMs !== undefined)
      }, 'he is out of the directory')
    }

    it('find the record that a list writes again, and what is kept of the address it brings', async () => {
      const answer = keys.idempotency('staff-1', 'a-call')
      await fleet.redis.set(answer, JSON.stringify({ answer: { status: 200, body: `{"address":"${phone}"}` } }))
      frail.interruptBeforeScript('put-people', eraseBoris)
      const list = `id,name,role,phone\nboris,Борис Второй,student,${phone}\n`
      const written = await createDirectory({ redis: frail, country: 'RU' }).importCsv(bytes(list))
      expect(written, 'behind the removal').to.include({ rejected: 0, updated: 1 })
      await untilErased()
      expect(await fleet.directory.findPerson('boris')).to.equal(undefined)
      expect(await left()).to.deep.equal([])
    })

    it('find the key that was made for them', async () => {
      await eraseBoris()
      const { apiKey } = await fleet.apiKeys.create({ owner: 'boris', role: 'admin', label: 'x' })
      await untilErased()
      expect((await fleet.ask('GET /v1/api-keys', { apiKey })).status).to.equal(401)
      expect(await left()).to.deep.equal([])
    })
  })

  it('find what others have tried in their name or with an address of theirs, and leave what is of others', async () => {
    const linked = await fleet.ask('PUT /v1/contacts/sms/boris', { as: 'admin' }, { address: phone })
    expect(linked.status).to.equal(204)
    const others = '+79005550378'
    for (const body of [{ person: 'boris' }, { person: 'anna' }, { contact: { channel: 'sms', address: phone } }])
      expect((await fleet.ask('POST /v1/sign-ins', {}, body)).status).to.equal(202)
    const inbound = { apiKey: fleet.keyOf.inbound }
    for (const address of [phone, others]) {
      const code = { channel: 'sms', address, code: '12345678' }
      expect((await fleet.ask('POST /v1/enrolments:redeem', inbound, code)).json.code).to.equal('wrong-code')
      await fleet.ask('POST /v1/answers', inbound, { channel: 'sms', address, text: 'Hm' })
    }
    const limits = async () => (await fleet.redis.keys('limit:*')).sort()
    const tries = await limits()
    expect(tries.filter((key) => key.endsWith('boris') || key.endsWith(phone))).to.have.length.above(4)
    await erase('boris')
    await untilErased()
    expect(await findAnywhere(fleet.redis as unknown as RedisNode, ['boris', phone.slice(2)])).to.deep.equal([])
    const left = tries.filter((key) => !key.endsWith('boris') && !key.endsWith(phone))
    expect(left.filter((key) => key.endsWith('anna') || key.endsWith(others))).to.have.length.above(2)
    expect(await limits()).to.include.members(left)
  })
})

describe('an erasure, and systems that follow people', () => {
  it('leaves the time to tell them that somebody is gone, of whom nothing is left afterwards', async () => {
    const systems = await createFixture()
    const fleet = await startUniversity(undefined, { redis: systems.redis, url: systems.url })
    try {
      const receiver = await systems.startReceiver()
      const first = await systems.startNotifier()
      const [all, one] = [
        await systems.subscribe(receiver, 'person'),
        await systems.subscribe(receiver, 'person', 'boris'),
      ]
      const told = (id: string) =>
        receiver.of('boris').flatMap(({ body }) => (body.subscription === id ? [body.diff?.name?.['+++']] : []))
      await until(async () => told(all.id).length + told(one.id).length === 2, 'both know of him')
      // none is there when he is erased, and no time goes by until it is
      let nowMs = Date.now()
      fleet.clock.now = () => nowMs
      await first.stop()
      const trace = keys.idempotency('staff-1', 'a-call')
      await fleet.redis.set(trace, JSON.stringify({ answer: { status: 200, body: '{"person":"boris"}' } }))
      const { status } = await fleet.ask('POST /v1/people/boris:erase', { as: 'admin' }, { reason: 'left' })
      expect(status).to.equal(202)
      await until(async () => (await fleet.redis.exists(trace)) === 0, 'what there is of him is looked for')
      await systems.startNotifier()
      for (const { id } of [all, one])
        await until(async () => told(id).length === 2 && told(id)[1] === null, 'he is gone')
      await until(async () => {
        nowMs += 20_000
        return (await fleet.ask<ErasureList>('GET /v1/erasures', { as: 'admin' })).json.erasures.length === 0
      }, 'he is erased')
      expect(await findAnywhere(fleet.redis as unknown as RedisNode, ['boris'])).to.deep.equal([])
      expect(await systems.subscriptions.get(all.id)).to.not.equal(undefined)
      expect(await systems.subscriptions.get(one.id)).to.equal(undefined)
      // receivers pass over what is not above the last they have handled
      const last = Math.max(...receiver.of('boris').map(({ body }) => body.sequence))
      await systems.directory.putPerson({ id: 'boris', name: 'B', role: 'student', timeZone: 'UTC', language: 'en' })
      await until(() => told(all.id).length === 3, 'another who was given his id is told of')
      const body = receiver.of('boris').at(-1)?.body
      expect(body).to.deep.include({ subscription: all.id, sequence: last + 1 })
      expect(body?.diff?.name).to.deep.equal({ '+++': 'B', '---': null })
    } finally {
      await fleet.stop()
      await systems.stop()
    }
  })
})
