import type { Wishes } from '@courier-fleet/api-types'
import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, generatedId, generatePeople } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson, rejection } from './people.ts'

describe('wishes of people', () => {
  let fresh: FreshRedis
  let frail: InterruptedRedis
  let directory: Directory
  let other: Directory

  const on = (redis: InterruptedRedis | FreshRedis['redis']) => createDirectory({ redis, country: 'RU' })

  beforeEach(async () => {
    fresh = await freshRedis()
    frail = new InterruptedRedis(fresh.url)
    await frail.ping()
    directory = on(fresh.redis)
    other = on(frail)
    for (const id of ['anna', 'boris']) await directory.putPerson(aPerson(id))
    await directory.linkContact('vk', 'anna', '1')
    await directory.linkContact('sms', 'anna', '+79001234567')
    await directory.linkContact('vk', 'boris', '2')
  })
  afterEach(async () => {
    frail.disconnect()
    await fresh.stop()
  })

  const switchOff = (type: string, by = directory) =>
    by.changeWishes('anna', ({ off, ...rest }) => ({ ...rest, off: [...off, type] }))
  const wishesBy = async (channel: string) =>
    (await directory.contactsOf(channel, ['anna', 'boris'])).map((contact) => contact?.wishes)
  const stored = async (person: string, channel: string) =>
    fresh.redis.hget(keys.contacts(bucketOf(person), channel), person)
  const news: Wishes = { off: ['news'] }

  it('come with every contact of whoever has any, and of nobody else', async () => {
    expect(await directory.wishesOf('anna')).to.deep.equal({ off: [] })
    expect(await switchOff('news')).to.deep.equal({ before: { off: [] }, after: news })
    expect(await directory.wishesOf('anna')).to.deep.equal(news)
    expect(await wishesBy('vk')).to.deep.equal([news, undefined])
    expect(await directory.allContactsOf(['boris', 'anna'])).to.deep.equal([
      { vk: { address: '2', state: 'active' } },
      {
        vk: { address: '1', state: 'active', wishes: news },
        sms: { address: '+79001234567', state: 'active', wishes: news },
      },
    ])
  })

  it('are shown by nothing that tells of contacts to others', async () => {
    await switchOff('news')
    expect((await directory.getPerson('anna'))?.contacts.vk).to.deep.equal({ address: '1', state: 'active' })
  })

  it('leave the contact as it was when they are taken back', async () => {
    await switchOff('news')
    await directory.changeWishes('anna', () => ({ off: [] }))
    expect(await wishesBy('vk')).to.deep.equal([undefined, undefined])
    expect(await stored('anna', 'vk')).to.equal('1')
    expect(await fresh.redis.exists(keys.wishes(bucketOf('anna')))).to.equal(0)
  })

  it('hold for contacts that are linked, marked, moved and imported afterwards', async () => {
    await directory.changeWishes('anna', () => ({ off: ['news'], quiet: 'never' }))
    const wanted: Wishes = { off: ['news'], quiet: 'never' }
    await directory.markContact('vk', 'anna', '1', { state: 'blocked', reason: '901', agoMs: () => 0 })
    expect((await directory.contactsOf('vk', ['anna']))[0]).to.deep.include({
      state: 'blocked',
      reason: '901',
      wishes: wanted,
    })
    await directory.linkContact('vk', 'anna', '1', { consents: true })
    await directory.setConsent('sms', 'anna', false)
    await directory.linkContact('telegram', 'anna', '7001')
    await directory.importCsv(bytes('id,name,role,email\nanna,Anna,student,anna@example.org\n'))
    for (const channel of ['vk', 'sms', 'telegram', 'mail'])
      expect((await wishesBy(channel))[0], channel).to.deep.equal(wanted)
    await directory.unlinkContact('vk', 'anna')
    await directory.linkContact('vk', 'anna', '5')
    expect((await wishesBy('vk'))[0], 'a contact that was unlinked').to.deep.equal(wanted)
  })

  it('hold for the first contact of a channel that is linked while they are written', async () => {
    frail.interruptBefore('evalsha', async () => {
      await directory.linkContact('telegram', 'anna', '7001')
    })
    await switchOff('news', other)
    expect((await wishesBy('telegram'))[0]).to.deep.equal(news)
  })

  it('of two processes at once are all kept', async () => {
    const types = Array.from({ length: 40 }, (_unused, index) => `type-${index}`)
    await Promise.all(types.map((type, index) => switchOff(type, index % 2 ? other : directory)))
    expect((await directory.wishesOf('anna')).off).to.have.members(types)
    expect(((await wishesBy('vk'))[0] as Wishes).off).to.have.members(types)
  })

  it('written by a process that dies anywhere are there with every contact, or not at all; and are completed by repeating', async () => {
    const off = () => other.changeWishes('anna', () => news)
    for (let commands = 0, died = true; died; commands++) {
      await directory.changeWishes('anna', () => ({ off: [] }))
      frail.dieAfter(commands)
      died = await off().then(
        () => false,
        () => true,
      )
      frail.before = undefined
      const seen = await Promise.all(['vk', 'sms'].map(async (channel) => (await wishesBy(channel))[0]))
      expect(new Set(seen.map((each) => JSON.stringify(each)))).to.have.length(1)
      await off()
      expect((await wishesBy('vk'))[0]).to.deep.equal(news)
    }
  })

  it('go with their person, and are nobody else’s', async () => {
    await switchOff('news')
    await directory.deletePerson('anna')
    expect(await fresh.redis.exists(keys.wishes(bucketOf('anna')))).to.equal(0)
    expect((await rejection(switchOff('news'))).code).to.equal('unknown-person')
    await directory.putPerson(aPerson('anna'), { isReturning: true })
    expect(await directory.wishesOf('anna')).to.deep.equal({ off: [] })
  })

  it('of somebody who was removed by a process that died anywhere are gone when it is removed again', async () => {
    for (let commands = 0, died = true; died; commands++) {
      await directory.putPerson(aPerson('anna'), { isReturning: true })
      await switchOff('news')
      frail.dieAfter(commands)
      died = await other.deletePerson('anna').then(
        () => false,
        () => true,
      )
      frail.before = undefined
      await directory.deletePerson('anna')
      expect(await fresh.redis.exists(keys.wishes(bucketOf('anna')))).to.equal(0)
    }
  })

  describe('cost', () => {
    const people = Array.from({ length: 300 }, (_unused, index) => generatedId(index))
    const commandsOf = async (work: () => Promise<unknown>) => {
      const names: string[] = []
      frail.before = (name) => {
        names.push(name)
        return undefined
      }
      await work()
      frail.before = undefined
      return names.sort()
    }
    beforeEach(() => directory.importCsv(generatePeople(people.length, { channels: ['vk'] })))
    const ask = () => commandsOf(() => other.contactsOf('vk', people))

    it('nobody has a wish: not one command more, and not one byte', async () => {
      await directory.changeWishes('anna', () => news)
      expect(await ask()).to.deep.equal(Array(16).fill('hmget'))
      expect(await stored(people[0] as string, 'vk')).to.match(/^\d+$/)
    })

    it('three of them have: a command more for each bucket they lie in', async () => {
      const few = [0, 100, 200].map((index) => people[index] as string)
      for (const person of few) await directory.changeWishes(person, () => news)
      const names = await ask()
      expect(names).to.have.length(16 + new Set(few.map(bucketOf)).size)
    })
  })

  describe('what others do never switches a channel on again', () => {
    const state = async () => (await directory.contactsOf('mail', ['anna']))[0]
    beforeEach(async () => {
      await directory.linkContact('mail', 'anna', 'anna@example.org')
      await directory.setConsent('mail', 'anna', false)
    })

    it('an import with another address', async () => {
      const report = await directory.importCsv(bytes('id,name,role,email\nanna,Anna,student,new@example.org\n'))
      expect(report.updated).to.equal(1)
      expect(await state()).to.deep.include({ address: 'new@example.org', state: 'opted-out' })
    })

    it('the office with another address', async () => {
      await directory.linkContact('mail', 'anna', 'new@example.org')
      expect(await state()).to.deep.include({ address: 'new@example.org', state: 'opted-out' })
    })

    it('a STOP that comes while the address is being linked', async () => {
      await directory.setConsent('mail', 'anna', true)
      await directory.markContact('mail', 'anna', 'anna@example.org', {
        state: 'invalid',
        reason: '5.1.1',
        agoMs: () => 0,
      })
      frail.interruptBefore('evalsha', () => directory.setConsent('mail', 'anna', false))
      await other.linkContact('mail', 'anna', 'anna@example.org')
      expect((await state())?.state).to.equal('opted-out')
    })

    it('the person does, who links it', async () => {
      await directory.linkContact('mail', 'anna', 'new@example.org', { consents: true })
      expect(await state()).to.deep.include({ address: 'new@example.org', state: 'active' })
    })
  })
})
