import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createApiKeys } from '../src/api-keys.ts'
import type { ApiKeys } from '../src/directory.ts'
import { rejection } from './people.ts'

describe('API keys', () => {
  let fresh: FreshRedis
  let apiKeys: ApiKeys
  let now = 1_000

  beforeEach(async () => {
    fresh = await freshRedis()
    apiKeys = createApiKeys({ redis: fresh.redis, clock: { now: () => now } })
  })
  afterEach(() => fresh.stop())

  it('knows the owner and the role of a key', async () => {
    const { id, apiKey } = await apiKeys.create({ owner: 'dean', role: 'staff', label: 'dean’s office' })
    expect(apiKey).to.match(/^cf_[0-9a-f]{16}_[A-Za-z0-9_-]{32}$/)
    expect(await apiKeys.authenticate(apiKey)).to.deep.equal({ id, owner: 'dean', role: 'staff' })
  })

  it('knows the channels of an inbound process; and nobody is the fleet itself', async () => {
    const made = { owner: 'bot', role: 'inbound', label: 'bot', channels: ['vk', 'sms'] } as const
    const { id, apiKey } = await apiKeys.create(made)
    expect(await apiKeys.authenticate(apiKey)).to.deep.equal({
      id,
      owner: 'bot',
      role: 'inbound',
      channels: ['vk', 'sms'],
    })
    expect((await apiKeys.list())[0]).to.deep.include({ role: 'inbound', channels: ['vk', 'sms'] })
    const refused = await rejection(apiKeys.create({ owner: 'system', role: 'admin', label: 'x' }))
    expect([refused.status, refused.field]).to.deep.equal([422, 'owner'])
  })

  it('revokes all keys of one owner, and no others', async () => {
    const own = [
      await apiKeys.create({ owner: 'dean', role: 'staff', label: 'x' }),
      await apiKeys.create({ owner: 'dean', role: 'trainer', label: 'y' }),
    ]
    const other = await apiKeys.create({ owner: 'dean-2', role: 'staff', label: 'z' })
    expect(await apiKeys.revokeOf('dean')).to.have.members(own.map(({ id }) => id))
    for (const { apiKey } of own) expect(await apiKeys.authenticate(apiKey)).to.equal(undefined)
    expect(await apiKeys.authenticate(other.apiKey)).to.include({ owner: 'dean-2' })
  })

  it('keeps no secret', async () => {
    const { id, apiKey } = await apiKeys.create({ owner: 'dean', role: 'staff', label: 'x' })
    const secret = apiKey.slice(`cf_${id}_`.length)
    const stored = JSON.stringify(await fresh.redis.hgetall(keys.apiKey(id)))
    expect(stored).not.to.contain(secret)
  })

  it('judges calls that come together each by what it shows, though their keys are read once', async () => {
    const one = await apiKeys.create({ owner: 'dean', role: 'staff', label: 'x' })
    const wrong = `${one.apiKey.slice(0, -4)}AAAA`
    const together = [one.apiKey, wrong, one.apiKey].map((apiKey) => apiKeys.authenticate(apiKey))
    expect((await Promise.all(together)).map((key) => key?.owner)).to.deep.equal(['dean', undefined, 'dean'])
    await apiKeys.revoke(one.id)
    expect(await apiKeys.authenticate(one.apiKey)).to.equal(undefined)
  })

  it('refuses every other key', async () => {
    const one = await apiKeys.create({ owner: 'dean', role: 'staff', label: 'x' })
    const other = await apiKeys.create({ owner: 'root', role: 'admin', label: 'y' })
    const last = one.apiKey.at(-1) === 'A' ? 'B' : 'A'
    const wrong = [
      '',
      'cf__',
      one.id,
      one.apiKey.slice(0, -1),
      `${one.apiKey}A`,
      one.apiKey.slice(0, -1) + last,
      one.apiKey.replace(one.id, other.id),
      one.apiKey.replace(one.id, '0'.repeat(16)),
      `${one.apiKey}\n`,
    ]
    for (const apiKey of wrong) expect(await apiKeys.authenticate(apiKey), apiKey).to.equal(undefined)
  })

  it('lists the oldest first and forgets what is revoked', async () => {
    const ids: string[] = []
    for (const label of ['a', 'b', 'c']) {
      now += 1
      ids.push((await apiKeys.create({ owner: 'dean', role: 'trainer', label })).id)
    }
    const { apiKey, id } = await apiKeys.create({ owner: 'dean', role: 'staff', label: 'z' })
    expect(await apiKeys.revoke(id)).to.equal(true)
    expect(await apiKeys.revoke(id)).to.equal(false)
    expect(await apiKeys.authenticate(apiKey)).to.equal(undefined)
    const listed = await apiKeys.list()
    expect(listed.map((key) => key.id)).to.deep.equal(ids)
    expect(listed[0]).to.deep.equal({ id: ids[0], owner: 'dean', role: 'trainer', label: 'a', created: now - 2 })
  })

  it('refuses a bad owner, role or label', async () => {
    for (const [field, value] of Object.entries({ owner: 'a b', role: 'boss', label: '' })) {
      const key = { owner: 'dean', role: 'staff', label: 'x', [field]: value }
      expect((await rejection(apiKeys.create(key as never))).field).to.equal(field)
    }
    expect(await fresh.redis.dbsize()).to.equal(0)
  })
})
