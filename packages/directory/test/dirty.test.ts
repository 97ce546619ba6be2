/** Every change of what can be followed leaves a mark, in whatever way it is made, and none where nobody follows it. */
import { Readable } from 'node:stream'
import { bucketOf, keys, markedTags, readMarks, tagOfBucket, tagsOfBuckets, unmark } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
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
