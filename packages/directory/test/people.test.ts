import { bucketOf, fixBuckets, keys, personBuckets } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, generatedAddress, generatedId, generatePeople } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, Person } from '../src/directory.ts'
import { expand } from './expand.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson, rejection } from './people.ts'

async function* rosterOf(ids: readonly string[]) {
  yield Buffer.from(`id,name,role\n${ids.map((id) => `${id},Name,student`).join('\n')}\n`)
}

describe('people', () => {
  let fresh: FreshRedis
  let directory: Directory

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fixBuckets(16))
  afterEach(() => fresh.stop())

  it('says whether a put has created, updated or changed nothing', async () => {
    expect(await directory.putPerson(aPerson('anna'))).to.equal('created')
    expect(await directory.putPerson(aPerson('anna'))).to.equal('unchanged')
    expect(await directory.putPerson({ ...aPerson('anna'), name: 'Anna' })).to.equal('updated')
  })

  it('moves a person to the set of their new role', async () => {
    const admin = { owner: 'root', role: 'admin' } as const
    await directory.putPerson(aPerson('anna', 'student'))
    await directory.putPerson(aPerson('anna', 'staff'))
    expect(await expand(directory, ['role:student'], admin)).to.deep.equal([])
    expect(await expand(directory, ['role:staff'], admin)).to.deep.equal(['anna'])
  })

  it('shows a person with contacts, groups and topics', async () => {
    await directory.putPerson(aPerson('anna'))
    await directory.putGroup({ id: 'g2', name: 'G2', owners: [] })
    await directory.putGroup({ id: 'g1', name: 'G1', owners: [] })
    await directory.putGroup({ id: 'g3', name: 'G3', owners: [] })
    await directory.addMembers('g2', ['anna'])
    await directory.addMembers('g1', ['anna'])
    await directory.linkContact('vk', 'anna', '5')
    await directory.putTopic({ id: 'choir', name: { ru: 'Хор', en: 'Choir' }, senders: [], open: true })
    await directory.joinTopic('choir', 'anna')
    expect(await directory.getPerson('anna')).to.deep.equal({
      ...aPerson('anna'),
      contacts: { vk: { address: '5', state: 'active' } },
      groups: ['g1', 'g2'],
      topics: ['choir'],
    })
    expect(await directory.getPerson('nobody')).to.equal(undefined)
    expect(await directory.namesOf(['nobody', 'anna'])).to.deep.equal([undefined, 'Person anna'])
    const name = 'Анна "Аня", \\ Вронская'
    await directory.putPerson({ ...aPerson('anna'), name })
    expect(await directory.namesOf(['anna'])).to.deep.equal([name])
  })

  it('lists in pages, passing over a put that has not come to its end', async () => {
    for (const id of ['c', 'a', 'B', 'd']) await directory.putPerson(aPerson(id))
    await fresh.redis.zadd(keys.personIds(bucketOf('b')), 0, 'b')
    const ids = async (after: string, limit: number) => (await directory.listPeople(after, limit)).map(({ id }) => id)
    expect(await ids('', 3)).to.deep.equal(['B', 'a', 'c'])
    expect(await ids('c', 3)).to.deep.equal(['d'])
    expect(await ids('d', 3)).to.deep.equal([])
  })

  for (const buckets of [16, 256])
    it(`lists all in the order of their ids, whichever of ${buckets} buckets they lie in`, async () => {
      fixBuckets(buckets)
      const spread = Array.from({ length: 400 }, (_unused, index) => generatedId(index))
      // so many of one bucket, and neighbours of each other, that a page does not reach beyond them
      const together = Array.from({ length: 20_000 }, (_unused, index) => `m${index}`)
        .filter((id) => bucketOf(id) === 3)
        .slice(0, 70)
      const all = [...spread, ...together].sort()
      await directory.importCsv(rosterOf(all))
      for (const limit of [1, 7, 100, 1000]) {
        const listed: string[] = []
        for (;;) {
          const page = await directory.listPeople(listed.at(-1) ?? '', limit)
          listed.push(...page.map(({ id }) => id))
          if (page.length < limit) break
        }
        expect(listed, `by ${limit}`).to.deep.equal(all)
      }
      const admin = { owner: 'x', role: 'admin' } as const
      expect(await expand(directory, ['role:student'], admin)).to.deep.equal(all)
      expect(await expand(directory, ['role:staff'], admin)).to.deep.equal([])
    })

  it('a page of names, and the addresses of a batch, are 16 commands at most', async () => {
    const counted = new InterruptedRedis(fresh.url)
    try {
      const people = Array.from({ length: 1000 }, (_unused, index) => generatedId(index))
      await directory.importCsv(generatePeople(1000))
      await counted.ping()
      let commands: string[] = []
      counted.before = (command) => void commands.push(command)
      const reader = createDirectory({ redis: counted, country: 'RU' })
      const wanted = new Array(personBuckets()).fill('hmget')
      expect(await reader.namesOf(people)).to.deep.equal(people.map((_id, index) => `Студент ${index}`))
      expect(commands).to.deep.equal(wanted)
      commands = []
      const contacts = await reader.contactsOf('sms', people)
      expect(contacts.map((contact) => contact?.address)).to.deep.equal(people.map((_id, i) => generatedAddress.sms(i)))
      expect(commands).to.deep.equal(wanted)
    } finally {
      counted.disconnect()
    }
  })

  it('deletes a person everywhere, and can be repeated', async () => {
    await directory.putPerson(aPerson('anna'))
    await directory.putGroup({ id: 'g', name: 'G', owners: [] })
    await directory.addMembers('g', ['anna'])
    await directory.linkContact('vk', 'anna', '5')
    expect(await directory.deletePerson('anna')).to.equal(true)
    expect(await directory.deletePerson('anna')).to.equal(false)
    expect(await fresh.redis.keys('*')).to.have.members([
      keys.group('g'),
      keys.groups,
      keys.contactChannels,
      keys.removedPeople(bucketOf('anna')),
      keys.formerName('anna'),
    ])
    // their messages are still there under this id
    const refused = await rejection(directory.putPerson(aPerson('anna')))
    expect([refused.status, refused.code]).to.deep.equal([409, 'removed-person'])
    expect(await directory.putPerson(aPerson('anna'), { isReturning: true })).to.equal('created')
    expect(await directory.putPerson(aPerson('anna'))).to.equal('unchanged')
  })

  it('refuses what is not a person, naming the field', async () => {
    const wrong: [Partial<Record<keyof Person, string>>, string][] = [
      [{ id: 'a b' }, 'id'],
      [{ id: '' }, 'id'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ role: 'boss' }, 'role'],
      [{ timeZone: 'Moscow' }, 'timeZone'],
      [{ timeZone: '+03:00' }, 'timeZone'],
      [{ language: 'ru_RU!' }, 'language'],
      [{ language: '' }, 'language'],
    ]
    for (const [change, field] of wrong) {
      const problem = await rejection(directory.putPerson({ ...aPerson('anna'), ...change } as Person))
      expect([problem.status, problem.code, problem.field], JSON.stringify(change)).to.deep.equal([
        422,
        'bad-field',
        field,
      ])
    }
    expect(await fresh.redis.dbsize()).to.equal(0)
  })
})
