/** Every change of what can be followed leaves a mark, in whatever way it is made, and none where nobody follows it. */
import { Readable } from 'node:stream'
import { bucketOf, keys, markedTags, readMarks, tagOfBucket, tagsOfBuckets, unmark } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson } from './people.ts'

const csv = (...lines: string[]) => Readable.from([Buffer.from(`${lines.join('\n')}\n`)])

describe('marks of what has changed', () => {
  let fresh: FreshRedis
  let directory: Directory

  const follow = (what: string, ...tags: string[]) =>
    Promise.all(tags.map((tag) => fresh.redis.zadd(keys.watched(tag), 0, `${what} subscription-1`)))
  const read = async () =>
    (
      await Promise.all(markedTags(16).map(async (tag) => ({ tag, marks: await readMarks(fresh.redis, tag, 100) })))
    ).filter(({ marks }) => marks.length > 0)
  /** What is marked, in order; takes the marks away. */
  async function marked(): Promise<string[]> {
    const found = await read()
    await Promise.all(found.map(({ tag, marks }) => unmark(fresh.redis, tag, marks)))
    return found.flatMap(({ marks }) => marks.map(({ of }) => of)).sort()
  }

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
    await directory.putPerson(aPerson('anna'))
    await directory.putGroup({ id: 'g1', name: 'G1', owners: [] })
  })
  afterEach(() => fresh.stop())

  it('leaves nothing while nobody follows anything, or follows something else', async () => {
    await follow('person:boris', ...markedTags(16))
    await directory.putPerson({ ...aPerson('anna'), name: 'Anna' })
    await directory.linkContact('vk', 'anna', '5')
    await directory.addMembers('g1', ['anna'])
    expect(await marked()).to.deep.equal([])
    expect(await fresh.redis.keys('dirty:*')).to.deep.equal([])
  })

  it('marks a person at each change of their record, contacts, groups and topics', async () => {
    await follow('person:anna', tagOfBucket(bucketOf('anna')))
    const changes: (() => Promise<unknown>)[] = [
      () => directory.putPerson({ ...aPerson('anna'), name: 'Anna' }),
      () => directory.linkContact('vk', 'anna', '5'),
      () => directory.markContact('vk', 'anna', '5', { state: 'blocked', reason: 'X', agoMs: () => 0 }),
      () => directory.hearContact('vk', 'anna', '5', true),
      () => directory.setConsent('vk', 'anna', false),
      () => directory.unlinkContact('vk', 'anna'),
      () => directory.addMembers('g1', ['anna']),
      () => directory.removeMembers('g1', ['anna']),
      () => directory.addMembers('g1', ['anna']),
      () => directory.deleteGroup('g1'),
      () => directory.importCsv(csv('id,name,role', 'anna,Anna Imported,student')),
      () => directory.deletePerson('anna'),
    ]
    for (const [at, change] of changes.entries()) {
      await change()
      expect(await marked(), `change ${at}`).to.deep.equal(['person:anna'])
    }
    await directory.putPerson(aPerson('boris'))
    expect(await marked()).to.deep.equal([])
  })

  it('marks nothing where a put changes nothing', async () => {
    await follow('person:*', ...tagsOfBuckets())
    await directory.putPerson(aPerson('anna'))
    expect(await marked()).to.deep.equal([])
  })

  it('marks groups and cohorts, and who owns them', async () => {
    for (const kind of ['group', 'cohort', 'ownership']) await follow(`${kind}:*`, ...tagsOfBuckets())
    await directory.addMembers('g1', ['anna'])
    expect(await marked()).to.deep.equal(['group:g1'])
    await directory.putCohort({ id: 'c1', name: 'C1', owners: ['anna'], groups: ['g1'] })
    expect(await marked()).to.deep.equal(['cohort:c1', 'ownership:cohort:c1'])
    await directory.importCsv(csv('id,name,role,groups', 'boris,Boris,student,g1'))
    expect(await marked()).to.deep.equal(['group:g1'])
    await directory.deletePerson('boris')
    expect(await marked()).to.deep.equal(['group:g1'])
    await directory.deleteGroup('g1')
    expect(await marked()).to.deep.equal(['cohort:c1', 'group:g1', 'ownership:group:g1'])
  })

  describe('of a call that is cut off anywhere, and repeated', () => {
    let frail: InterruptedRedis
    beforeEach(async () => {
      frail = new InterruptedRedis(fresh.url)
      await frail.ping()
      for (const id of ['boris', 'carl']) await directory.putPerson(aPerson(id))
      await follow('person:*', ...tagsOfBuckets())
    })
    afterEach(() => frail.disconnect())

    /** Whom the two together have marked, for each command after which the first may die. */
    async function repeated(work: (by: Directory) => Promise<unknown>, prepare: () => Promise<unknown>) {
      const all: string[][] = []
      for (let commands = 0, died = true; died; commands++) {
        await prepare()
        await marked()
        frail.dieAfter(commands)
        died = await work(createDirectory({ redis: frail, country: 'RU' })).then(
          () => false,
          () => true,
        )
        frail.before = undefined
        await work(directory)
        all.push(await marked())
      }
      expect(all.length).to.be.greaterThan(4)
      return all
    }
    const eachTime = (all: string[][], who: string[]) => {
      for (const [at, found] of all.entries()) expect(found, `after ${at} commands`).to.deep.equal(who)
    }
    const both = ['person:anna', 'person:boris']
    const topic = { id: 'choir', name: { ru: 'Хор', en: 'Choir' }, senders: [], open: true }
    const filled = async () => {
      await directory.putGroup({ id: 'g1', name: 'G1', owners: [] })
      await directory.addMembers('g1', ['anna', 'boris'])
    }
    const joined = async () => {
      await directory.putTopic(topic)
      for (const id of ['anna', 'boris']) await directory.joinTopic('choir', id)
    }

    it('a group is removed', async () => {
      eachTime(await repeated((by) => by.deleteGroup('g1'), filled), both)
    })

    it('a topic is removed', async () => {
      eachTime(await repeated((by) => by.deleteTopic('choir'), joined), both)
    })

    for (const [how, make] of [
      ['put anew', () => directory.putGroup({ id: 'g1', name: 'Other', owners: [] })],
      [
        'made by a list',
        () => directory.importCsv(csv('id,name,role,groups', 'anna,anna,student,', 'carl,carl,student,g1')),
      ],
    ] as const)
      it(`a group is removed, and is ${how}: it has nobody of those before`, async () => {
        for (let commands = 1, died = true; died; commands++) {
          await directory.deleteGroup('g1')
          await filled()
          await marked()
          frail.dieAfter(commands)
          died = await createDirectory({ redis: frail, country: 'RU' })
            .deleteGroup('g1')
            .then(
              () => false,
              () => true,
            )
          frail.before = undefined
          if ((await directory.getGroup('g1')) !== undefined) continue
          await make()
          expect(await marked()).to.include.members(both)
          expect(await directory.membersOf('g1')).to.not.include.members(['anna'])
          expect((await directory.getPerson('anna'))?.groups).to.deep.equal([])
        }
      })

    it('a list is loaded', async () => {
      const list = () => csv('id,name,role,groups', 'anna,anna,student,g2', 'boris,boris,student,g2')
      const prepare = async () => {
        await directory.importCsv(csv('id,name,role', 'anna,anna,student', 'boris,boris,student'))
        await directory.deleteGroup('g2')
        await fresh.redis.del(keys.imports)
      }
      const all = await repeated((by) => by.importCsv(list()), prepare)
      for (const [at, found] of all.entries()) expect(found, `after ${at} commands`).to.include.members(both)
    })
  })

  it('keeps a mark that was made anew since it was read', async () => {
    const tag = tagOfBucket(bucketOf('anna'))
    await follow('person:anna', tag)
    await directory.putPerson({ ...aPerson('anna'), name: 'One' })
    const seen = await readMarks(fresh.redis, tag, 100)
    await directory.putPerson({ ...aPerson('anna'), name: 'Two' })
    await unmark(fresh.redis, tag, seen)
    expect(await marked()).to.deep.equal(['person:anna'])
    // also where it had been taken away meanwhile
    await directory.putPerson({ ...aPerson('anna'), name: 'Three' })
    await unmark(fresh.redis, tag, seen)
    expect(await marked()).to.deep.equal(['person:anna'])
  })

  it('names each subscription that follows it once, and no other', async () => {
    const tag = tagOfBucket(bucketOf('anna'))
    const add = (member: string) => fresh.redis.zadd(keys.watched(tag), 0, member)
    for (const member of [
      'person:anna one',
      'person:* all',
      'person:anna all',
      'person:ann other',
      'person:annax third',
    ])
      await add(member)
    await directory.putPerson({ ...aPerson('anna'), name: 'One' })
    const [mark] = await readMarks(fresh.redis, tag, 100)
    expect([...(mark?.subscriptions ?? [])].sort()).to.deep.equal(['all', 'one'])
  })
})
