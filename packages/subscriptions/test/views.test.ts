import { historyKeyOf, type Role, serviceType, subscriptionResources } from '@courier-fleet/api-types'
import { createApiKeys, createDirectory, type Directory } from '@courier-fleet/directory'
import { createHistories, newHistoryRef, pauseChannel, settingsOf, useChannel } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fieldsOf } from '../src/fields.ts'
import { createViews, type Views } from '../src/views.ts'

const shards = 16

describe('what a subscriber is shown', () => {
  let fresh: FreshRedis
  let directory: Directory
  let views: Views
  let apiKeys: ReturnType<typeof createApiKeys>
  const seen = new Set<string>()
  const as = (role: Role, owner = `${role}-1`) => ({ owner, role })

  before(async () => {
    fresh = await freshRedis()
    const { redis } = fresh
    directory = createDirectory({ redis, country: 'RU' })
    apiKeys = createApiKeys({ redis, clock: { now: () => 1000 } })
    const settings = { current: () => settingsOf({}), look: async () => {} }
    const made = createViews({
      redis,
      shards,
      histories: createHistories({ redis, shards }),
      directory,
      apiKeys,
      settings,
    })
    views = {
      ...made,
      async viewOf(reader, resource, id) {
        const view = await made.viewOf(reader, resource, id)
        expect(fieldsOf[resource]).to.include.members(Object.keys(view ?? {}))
        seen.add(resource)
        return view
      },
    }
    for (const role of ['student', 'trainer', 'staff', 'operator'] as const)
      await directory.putPerson({ id: `${role}-1`, name: role, role, timeZone: 'UTC', language: 'en' })
    await directory.putGroup({ id: 'choir', name: 'Choir', owners: ['trainer-1'] })
    await directory.putGroup({ id: 'other', name: 'Other', owners: [] })
    await directory.putCohort({ id: 'all', name: 'All', owners: ['trainer-1'], groups: ['choir', 'other'] })
    await directory.linkContact('telegram', 'trainer-1', '7001')
    await useChannel(redis, shards, 'telegram')
    await pauseChannel(redis, 'telegram', 'operator-1')
  })
  after(() => fresh.stop())

  it('is by the key it was made with: its role, its owner’s role now, and nothing once it is revoked', async () => {
    const { id } = await apiKeys.create({ owner: 'staff-1', role: 'staff', label: 'x' })
    const made = { owner: 'staff-1', keyId: id }
    expect(await views.readerOf(made)).to.deep.equal(as('staff'))
    await directory.putPerson({ id: 'staff-1', name: 's', role: 'trainer', timeZone: 'UTC', language: 'en' })
    expect(await views.readerOf(made)).to.deep.equal(as('trainer', 'staff-1'))
    expect(await views.readerOf({ ...made, owner: 'operator-1' }), "another's key").to.equal(undefined)
    await apiKeys.revoke(id)
    expect(await views.readerOf(made)).to.equal(undefined)
  })

  it('made in a session is by the person’s role, and ends when they are gone or may not subscribe', async () => {
    expect(await views.readerOf({ owner: 'trainer-1' })).to.deep.equal(as('trainer'))
    expect(await views.readerOf({ owner: 'student-1' })).to.equal(undefined)
    expect(await views.readerOf({ owner: 'nobody' })).to.equal(undefined)
  })

  it('of groups, cohorts and their owners is what one may read: staff all, trainers their own', async () => {
    const choir = { id: 'choir', name: 'Choir', owners: ['trainer-1'], size: 0 }
    for (const reader of [as('staff'), as('trainer')]) {
      expect(await views.viewOf(reader, 'group', 'choir')).to.deep.equal(choir)
      expect(await views.viewOf(reader, 'ownership', 'group:choir')).to.deep.equal({ owners: ['trainer-1'] })
      expect(await views.viewOf(reader, 'ownership', 'cohort:all')).to.deep.equal({ owners: ['trainer-1'] })
    }
    expect(await views.viewOf(as('trainer'), 'group', 'other')).to.equal(undefined)
    expect(await views.viewOf(as('trainer'), 'ownership', 'group:other')).to.equal(undefined)
    expect(await views.viewOf(as('trainer', 'trainer-2'), 'cohort', 'all')).to.equal(undefined)
    expect(await views.viewOf(as('staff'), 'group', 'none')).to.equal(undefined)
  })

  it('of a person has addresses for themselves and operators only, and nobody below staff sees another', async () => {
    const contactsFor = async (reader: Parameters<Views['viewOf']>[0]) =>
      (await views.viewOf(reader, 'person', 'trainer-1'))?.contacts
    expect(await contactsFor(as('trainer'))).to.have.nested.property('telegram.address', '7001')
    expect(await contactsFor(as('operator'))).to.have.nested.property('telegram.address', '7001')
    expect(await contactsFor(as('staff'))).to.deep.equal({ telegram: { state: 'active' } })
    expect(await contactsFor(as('trainer', 'trainer-2'))).to.equal(undefined)
  })

  it('of a message is its sender’s and operators’, of the fleet’s own nobody’s', async () => {
    const { redis } = fresh
    const put = async (sender: string) => {
      const ref = newHistoryRef(sender, shards)
      const common = { class: 'normal', audience: ['anna'], dueMs: 0, expiresMs: 0 } as const
      const body = { digest: 'x', source: 'api', text: 'Hello', to: ['user:anna'], issued: false }
      await createHistories({ redis, shards }).put({ ref, ...body, ...common })
      return historyKeyOf(ref)
    }
    const [own, system] = [await put('trainer-1'), await put('system')]
    for (const reader of [as('trainer'), as('operator')])
      expect(await views.viewOf(reader, 'history', own)).to.include({ key: own, state: 'scheduled', text: 'Hello' })
    for (const reader of [as('staff'), as('trainer', 'trainer-2')])
      expect(await views.viewOf(reader, 'history', own)).to.equal(undefined)
    expect(await views.viewOf(as('operator'), 'history', system)).to.equal(undefined)
    expect(await views.viewOf(as('operator'), 'history', 'no key')).to.equal(undefined)
  })

  it('of channels and types is what everybody reads, without what changes all the time', async () => {
    const telegram = await views.viewOf(as('trainer'), 'channel', 'telegram')
    expect(telegram).to.deep.include({ channel: 'telegram', inUse: true, ready: false, tells: ['sent'] })
    expect(telegram?.paused).to.include({ pausedBy: 'operator-1' })
    expect(await views.viewOf(as('trainer'), 'channel', 'none')).to.equal(undefined)
    expect(await views.viewOf(as('trainer'), 'type', 'general')).to.include({ id: 'general', level: 3 })
    expect(await views.viewOf(as('trainer'), 'type', serviceType)).to.include({ id: serviceType })
    expect(await views.viewOf(as('trainer'), 'type', 'none')).to.equal(undefined)
  })

  it('has no fields but those that are told again of what is gone', async () => {
    await directory.putPerson({
      id: 'dean',
      name: 'd',
      role: 'staff',
      timeZone: 'UTC',
      language: 'en',
      fields: { room: '7' },
    })
    expect(await views.viewOf(as('operator'), 'person', 'dean')).to.include.keys('fields', 'topics')
    expect(await views.viewOf(as('staff'), 'cohort', 'all')).to.include.keys('groups')
    expect([...seen]).to.have.members(subscriptionResources)
  })
})
