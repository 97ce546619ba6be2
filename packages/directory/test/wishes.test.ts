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

    const recycled = () =>
      bytes('id,name,role,email\nanna,Anna,student,new@example.org\nboris,Boris,student,anna@example.org\n')
    const ofBoris = async () => (await directory.contactsOf('mail', ['boris']))[0]

    it('an import with another address, whose list gives hers to somebody else', async () => {
      const since = (await state())?.since
      expect(await directory.importCsv(recycled())).to.include({ updated: 2, rejected: 0 })
      expect(await state()).to.deep.equal({ address: 'new@example.org', state: 'opted-out', since })
      expect(await ofBoris()).to.deep.equal({ address: 'anna@example.org', state: 'active' })
    })

    it('such an import that dies anywhere, and is repeated', async () => {
      for (let commands = 0, died = true; died; commands++) {
        // whoever loads a list reads those that were cut off: each would be a few commands more
        await fresh.redis.del(keys.imports)
        await directory.unlinkContact('mail', 'boris')
        await directory.unlinkContact('mail', 'anna')
        await directory.linkContact('mail', 'anna', 'anna@example.org', { consents: true })
        await directory.setConsent('mail', 'anna', false)
        frail.dieAfter(commands)
        died = await other.importCsv(recycled()).then(
          () => false,
          () => true,
        )
        frail.before = undefined
        expect((await state())?.state, `after ${commands}`).to.be.oneOf(['opted-out', undefined])
        await directory.importCsv(recycled())
        expect(await state()).to.deep.include({ address: 'new@example.org', state: 'opted-out' })
      }
    })

    it('the office, who gives her address to somebody else and then her another', async () => {
      const since = (await state())?.since
      await directory.linkContact('mail', 'boris', 'anna@example.org')
      expect(await state()).to.equal(undefined)
      await directory.linkContact('mail', 'anna', 'new@example.org')
      expect(await state()).to.deep.equal({ address: 'new@example.org', state: 'opted-out', since })
    })

    it('the office, who unlinks all of several phones and adds others', async () => {
      await directory.addContact('sms', 'anna', '+79001234568')
      await directory.setConsent('sms', 'anna', false)
      await directory.unlinkContact('sms', 'anna')
      for (const phone of ['+79001234561', '+79001234562']) await directory.addContact('sms', 'anna', phone)
      const [sms] = await directory.contactsOf('sms', ['anna'])
      expect([sms, ...(sms?.others ?? [])].map((each) => each?.state)).to.deep.equal(['opted-out', 'opted-out'])
    })

    it('an import that is taken back while she says STOP to the address it brought, and the next', async () => {
      const list = (address: string) => directory.importCsv(bytes(`id,name,role,vk\nboris,Boris,student,${address}\n`))
      await directory.unlinkContact('vk', 'boris')
      const { id = '' } = await list('7')
      const { version = '' } = await directory.takeBackImport(id, { dryRun: true })
      frail.interruptBefore('sadd', () => directory.setConsent('vk', 'boris', false))
      await other.takeBackImport(id, { version })
      expect((await directory.contactsOf('vk', ['boris']))[0]).to.equal(undefined)
      await list('8')
      expect((await directory.contactsOf('vk', ['boris']))[0]?.state).to.equal('opted-out')
    })

    it('the person does, also where they had none left, and then it is taken back for good', async () => {
      await directory.unlinkContact('mail', 'anna')
      await directory.linkContact('mail', 'anna', 'new@example.org', { consents: true })
      expect((await state())?.state).to.equal('active')
      await directory.unlinkContact('mail', 'anna')
      await directory.linkContact('mail', 'anna', 'anna@example.org')
      expect((await state())?.state).to.equal('active')
    })

    it('goes with its person', async () => {
      await directory.unlinkContact('mail', 'anna')
      expect(await fresh.redis.hexists(keys.stops(bucketOf('anna'), 'mail'), 'anna')).to.equal(1)
      await directory.deletePerson('anna')
      expect(await fresh.redis.exists(keys.stops(bucketOf('anna'), 'mail'))).to.equal(0)
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
