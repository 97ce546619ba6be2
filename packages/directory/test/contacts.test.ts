import { Problem } from '@courier-fleet/api-types'
import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { aPerson, rejection } from './people.ts'

/** longer than a test takes: before whatever happens in it */
const longAgoMs = 3_600_000

describe('contacts', () => {
  let fresh: FreshRedis
  let directory: Directory
  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
    await directory.putPerson(aPerson('anna'))
    await directory.putPerson(aPerson('boris'))
  })
  afterEach(() => fresh.stop())

  /** By Redis's clock, ms. */
  async function redisNow(): Promise<number> {
    const [seconds, microseconds] = await fresh.redis.time()
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
  }
  const refused = (channel: string, person: string, address: string, reason: string, agoMs = 0) =>
    directory.markContact(channel, person, address, { state: 'blocked', reason, agoMs: () => agoMs })
  const contact = async (channel: string, person: string) => (await directory.contactsOf(channel, [person]))[0]

  it('answers for many people in their order, with gaps', async () => {
    await directory.linkContact('vk', 'boris', '5001')
    await directory.linkContact('vk', 'anna', '5002')
    expect(await directory.contactsOf('vk', ['anna', 'nobody', 'boris'])).to.deep.equal([
      { address: '5002', state: 'active' },
      undefined,
      { address: '5001', state: 'active' },
    ])
    expect(await contact('sms', 'anna')).to.equal(undefined)
  })

  it('stores the normal form and finds the person by any form', async () => {
    await directory.linkContact('sms', 'anna', '8 (900) 123-45-67')
    expect(await contact('sms', 'anna')).to.deep.equal({ address: '+79001234567', state: 'active' })
    expect(await directory.personOf('sms', '+7 900 123 45 67')).to.equal('anna')
    expect(await directory.personOf('sms', 'no number')).to.equal(undefined)
    expect(await directory.personOf('sms', '+79009999999')).to.equal(undefined)
  })

  it('takes an address from whoever had it', async () => {
    await directory.linkContact('telegram', 'anna', '7001')
    await directory.linkContact('telegram', 'boris', '7001')
    expect(await contact('telegram', 'anna')).to.equal(undefined)
    expect(await contact('telegram', 'boris')).to.deep.equal({ address: '7001', state: 'active' })
    expect(await directory.personOf('telegram', '7001')).to.equal('boris')
  })

  it('releases the former address of a person who links another', async () => {
    await directory.linkContact('vk', 'anna', '1')
    await directory.linkContact('vk', 'anna', '2')
    expect(await directory.personOf('vk', '1')).to.equal(undefined)
    expect(await fresh.redis.exists(keys.contactOf('vk', '1'))).to.equal(0)
    expect(await directory.personOf('vk', '2')).to.equal('anna')
  })

  it('gives an address that many link at once to exactly one of them', async () => {
    for (let round = 0; round < 20; round++) {
      const address = String(100 + round)
      await Promise.all(['anna', 'boris', 'anna'].map((person) => directory.linkContact('vk', person, address)))
      const owner = await directory.personOf('vk', address)
      const holders = (await directory.contactsOf('vk', ['anna', 'boris'])).filter((c) => c?.address === address)
      expect(holders, address).to.have.length(1)
      expect(owner, address).to.be.oneOf(['anna', 'boris'])
    }
  })

  it('is repaired by repeating after a crash between its two writes', async () => {
    await directory.linkContact('vk', 'anna', '1')
    await fresh.redis.set(keys.contactOf('vk', '2'), 'boris') // written first, then the crash
    expect(await directory.personOf('vk', '2')).to.equal(undefined)
    await directory.linkContact('vk', 'boris', '2')
    expect(await directory.personOf('vk', '2')).to.equal('boris')
  })

  it('marks a contact with the reason and the moment, once', async () => {
    await directory.linkContact('telegram', 'anna', '7001')
    const from = await redisNow()
    await refused('telegram', 'anna', '7001', 'USER_IS_BLOCKED')
    const to = await redisNow()
    const marked = await contact('telegram', 'anna')
    expect(marked).to.include({ address: '7001', state: 'blocked', reason: 'USER_IS_BLOCKED' })
    expect(marked?.since).to.be.within(from, to)
    await refused('telegram', 'anna', '7001', 'said again', -5000)
    expect(await contact('telegram', 'anna')).to.deep.equal(marked)
  })

  it('does not mark a person who has linked another address meanwhile', async () => {
    await directory.linkContact('telegram', 'anna', '7002')
    await refused('telegram', 'anna', '7001', 'USER_IS_BLOCKED')
    await refused('telegram', 'nobody', '7001', 'USER_IS_BLOCKED')
    expect(await contact('telegram', 'anna')).to.deep.equal({ address: '7002', state: 'active' })
    expect(await contact('telegram', 'nobody')).to.equal(undefined)
  })

  it('is usable again once the person links the same address again', async () => {
    await directory.linkContact('vk', 'anna', '1')
    await refused('vk', 'anna', '1', '901')
    const from = await redisNow()
    await directory.linkContact('vk', 'anna', '1')
    const linked = await contact('vk', 'anna')
    expect(linked).to.have.all.keys('address', 'state', 'since').and.to.include({ address: '1', state: 'active' })
    expect(linked?.since).to.be.within(from, await redisNow())
  })

  it('is not marked for an attempt that is older than the last sign of life, also where nothing had to change', async () => {
    await directory.linkContact('vk', 'anna', '1')
    const signs = {
      'a message': () => directory.hearContact('vk', 'anna', '1', true),
      START: () => directory.setConsent('vk', 'anna', true),
      'linked by a code': () => directory.linkContact('vk', 'anna', '1', { consents: true }),
    }
    for (const [sign, hear] of Object.entries(signs)) {
      await hear()
      await refused('vk', 'anna', '1', '901', longAgoMs)
      expect((await contact('vk', 'anna'))?.state, sign).to.equal('active')
      await refused('vk', 'anna', '1', '901')
      expect((await contact('vk', 'anna'))?.state, `tried after ${sign}`).to.equal('blocked')
      await hear()
      await refused('vk', 'anna', '1', '901', longAgoMs)
      expect((await contact('vk', 'anna'))?.state, `${sign} of somebody blocked`).to.equal('active')
    }
  })

  it('unlinks, also twice', async () => {
    await directory.linkContact('vk', 'anna', '1')
    await directory.unlinkContact('vk', 'anna')
    await directory.unlinkContact('vk', 'anna')
    expect(await contact('vk', 'anna')).to.equal(undefined)
    expect(await fresh.redis.exists(keys.contactOf('vk', '1'))).to.equal(0)
  })

  it('refuses strangers and bad addresses', async () => {
    const stranger = await rejection(directory.linkContact('vk', 'nobody', '1'))
    expect([stranger.status, stranger.code]).to.deep.equal([404, 'unknown-person'])
    for (const [channel, text] of [
      ['sms', '12'],
      ['sms', '+7 900 123 45 6'],
      ['telegram', '-5'],
      ['telegram', '@anna'],
      ['vk', '0'],
      ['vk', '2000000001'],
      ['vk', '7,0001E+07'],
      ['email', 'two words'],
    ] as const) {
      const problem = await rejection(directory.linkContact(channel, 'anna', text))
      expect(problem, text).to.be.instanceOf(Problem)
      expect([problem.status, problem.code, problem.field], text).to.deep.equal([422, 'bad-address', 'address'])
    }
    expect((await directory.allContactsOf(['anna']))[0]).to.deep.equal({})
  })

  it('keeps no more than the address while nothing was marked, and reads addresses that look like something else', async () => {
    await directory.linkContact('sms', 'anna', '+79001234567')
    expect(await fresh.redis.hget(keys.contacts(bucketOf('anna'), 'sms'), 'anna')).to.equal('+79001234567')
    await directory.linkContact('email', 'anna', '{"address":"x"}')
    expect(await contact('email', 'anna')).to.deep.equal({ address: '{"address":"x"}', state: 'active' })
    expect(await directory.setConsent('email', 'anna', false)).to.equal(true)
    expect((await contact('email', 'anna'))?.state).to.equal('opted-out')
    expect(Object.keys((await directory.allContactsOf(['anna']))[0] ?? {})).to.deep.equal(['email', 'sms'])
  })

  it('answers for more people than one read takes', async () => {
    const people = Array.from({ length: 40_000 }, (_unused, i) => `p${i}`)
    await directory.putPerson(aPerson('p39999'))
    await directory.linkContact('vk', 'p39999', '77')
    const contacts = await directory.contactsOf('vk', people)
    expect(contacts).to.have.length(people.length)
    expect(contacts.at(-1)).to.deep.equal({ address: '77', state: 'active' })
    expect(contacts.filter(Boolean)).to.have.length(1)
  })

  it('keeps what a person has said of a contact, whatever a provider or the office does', async () => {
    expect(await directory.setConsent('vk', 'anna', false)).to.equal(false)
    expect(await directory.linkContact('vk', 'anna', '1')).to.deep.equal({ address: '1' })
    expect(await directory.setConsent('vk', 'anna', false)).to.equal(true)
    const optedOut = await contact('vk', 'anna')
    expect(optedOut).to.include({ address: '1', state: 'opted-out' })
    await directory.setConsent('vk', 'anna', false)
    await refused('vk', 'anna', '1', '901')
    await directory.linkContact('vk', 'anna', '1')
    expect(await contact('vk', 'anna')).to.deep.equal(optedOut)
    expect(await directory.allContactsOf(['anna', 'boris'])).to.deep.equal([{ vk: optedOut }, {}])

    await directory.setConsent('vk', 'anna', true)
    expect((await contact('vk', 'anna'))?.state).to.equal('active')
    await directory.setConsent('vk', 'anna', false)
    await directory.linkContact('vk', 'anna', '1', { consents: true })
    expect((await contact('vk', 'anna'))?.state).to.equal('active')
    await refused('vk', 'anna', '1', '901')
    await directory.setConsent('vk', 'anna', true)
    expect((await contact('vk', 'anna'))?.state, 'who writes START can be reached').to.equal('active')
  })

  it('keeps that a person has agreed to an address, and to no other', async () => {
    const agreed = async () => (await contact('vk', 'anna'))?.agreed
    await directory.linkContact('vk', 'anna', '1')
    expect(await agreed(), 'the office has brought it').to.equal(undefined)
    const from = Date.now() - 1000
    await directory.setConsent('vk', 'anna', true, { agreed: { by: 'start' } })
    const before = await agreed()
    expect(before?.by).to.equal('start')
    expect(before?.at).to.be.within(from, Date.now() + 1000)
    // a list that names the same address, what a provider says, and a STOP that is taken back by somebody else
    await directory.linkContact('vk', 'anna', '1')
    await directory.hearContact('vk', 'anna', '1', true)
    await refused('vk', 'anna', '1', '901')
    await directory.setConsent('vk', 'anna', false)
    await directory.setConsent('vk', 'anna', true)
    expect(await agreed()).to.deep.equal(before)
    await directory.linkContact('vk', 'anna', '2')
    expect(await agreed(), 'another address').to.equal(undefined)
    await directory.linkContact('vk', 'anna', '3', { consents: true, agreed: { by: 'code' } })
    expect((await agreed())?.by).to.equal('code')
    const once = { by: 'page', at: 1_790_000_000_000 } as const
    await directory.linkContact('vk', 'anna', '4', { agreed: once })
    expect(await agreed(), 'as it was, put back').to.deep.equal(once)
    await directory.unlinkContact('vk', 'anna')
    await directory.linkContact('vk', 'anna', '4')
    expect(await agreed(), 'what was unlinked is gone').to.equal(undefined)
  })

  it('says who lost an address, and whether there was one to unlink', async () => {
    await directory.linkContact('vk', 'anna', '1')
    expect(await directory.linkContact('vk', 'boris', '1')).to.deep.equal({ address: '1', takenFrom: 'anna' })
    expect(await directory.linkContact('vk', 'boris', '1')).to.deep.equal({ address: '1' })
    expect(await directory.unlinkContact('vk', 'anna')).to.equal(false)
    expect(await directory.unlinkContact('vk', 'boris')).to.equal(true)
  })
})
