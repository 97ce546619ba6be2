import { Problem } from '@courier-fleet/api-types'
import { idsOf, keys, type PackedAudience } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, Principal } from '../src/directory.ts'
import { expand } from './expand.ts'
import { aPerson, rejection } from './people.ts'

describe('audience', () => {
  let fresh: FreshRedis
  let directory: Directory
  const staff: Principal = { owner: 'dean', role: 'staff' }
  const trainer: Principal = { owner: 'trainer-1', role: 'trainer' }

  before(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
    for (const id of ['b', 'a', 'Z', '_9', 'c', 'd']) await directory.putPerson(aPerson(id))
    await directory.putPerson(aPerson('t', 'trainer'))
    await directory.putGroup({ id: 'mine', name: 'Mine', owners: ['trainer-1'] })
    await directory.putGroup({ id: 'other', name: 'Other', owners: ['trainer-2'] })
    await directory.putGroup({ id: 'empty', name: 'Empty', owners: [] })
    await directory.addMembers('mine', ['b', 'a', 'Z'])
    await directory.addMembers('other', ['a', '_9', 'c'])
    await directory.putCohort({ id: 'both', name: 'Both', owners: ['trainer-1'], groups: ['mine', 'other', 'empty'] })
    await directory.putCohort({ id: 'theirs', name: 'Theirs', owners: ['trainer-2'], groups: ['other'] })
  })
  after(() => fresh.stop())

  it('means each person once, sorted by code unit', async () => {
    expect(await expand(directory, ['group:mine', 'cohort:both', 'user:d', 'user:a'], staff)).to.deep.equal([
      'Z',
      '_9',
      'a',
      'b',
      'c',
      'd',
    ])
  })

  it('expands for many messages, each for itself', async () => {
    const lists = [
      ['user:b'],
      ['group:mine', 'user:b'],
      ['user:x'],
      ['group:x'],
      ['cohort:both'],
      ['user:b'],
      ['group:mine'],
    ]
    const codes = (found: (PackedAudience | Error)[]) =>
      found.map((people) =>
        people instanceof Problem ? `${people.code} ${people.field}` : idsOf(people as PackedAudience),
      )
    const mine = ['Z', 'a', 'b']
    const both = ['Z', '_9', 'a', 'b', 'c']
    const expected = [['b'], mine, 'unknown-audience to.0', 'unknown-audience to.0', both, ['b'], mine]
    expect(codes(await directory.expandMany(lists, staff))).to.deep.equal(expected)
    expect(codes(await directory.expandMany(lists, trainer))).to.deep.equal(expected)
    const foreign = await directory.expandMany(
      [['user:d'], ['user:b', 'group:other'], ['role:student'], ['team:x']],
      trainer,
    )
    expect(codes(foreign)).to.deep.equal([
      'not-your-audience to.0',
      'not-your-audience to.1',
      'not-your-audience to.0',
      'unknown-audience to.0',
    ])
    const ofStudent = await directory.expandMany([['group:mine'], ['user:b']], { owner: 'a', role: 'student' })
    expect(codes(ofStudent)).to.deep.equal(['not-your-audience undefined', 'not-your-audience undefined'])
    expect(await directory.expandMany([], staff)).to.deep.equal([])
  })

  it('counts whoever is named again', async () => {
    const counted = await directory.expandCounted(['group:mine', 'cohort:both', 'user:d', 'user:a'], staff)
    // three, the five of the cohort (one of them in both of its groups), and two by name
    expect(idsOf(counted.people)).to.deep.equal(['Z', '_9', 'a', 'b', 'c', 'd'])
    expect(counted.named).to.equal(3 + 5 + 2)
    const refused = await rejection(directory.expandCounted(['group:other'], trainer))
    expect(refused.code).to.equal('not-your-audience')
  })

  it('knows roles, and an empty group is nobody', async () => {
    expect(await expand(directory, ['role:trainer'], staff)).to.deep.equal(['t'])
    expect(await expand(directory, ['role:admin'], staff)).to.deep.equal([])
    expect(await expand(directory, ['group:empty'], { owner: 'root', role: 'admin' })).to.deep.equal([])
  })

  it('names the first token it does not know', async () => {
    for (const token of ['user:x', 'group:x', 'cohort:x', 'role:x', 'team:x', 'group:', 'a', 'user:a b', '']) {
      const problem = await rejection(expand(directory, ['group:mine', token, 'user:y'], staff))
      expect([problem.status, problem.code, problem.field], token).to.deep.equal([422, 'unknown-audience', 'to.1'])
      expect(problem.message).to.contain(`"${token}"`)
    }
  })

  it('lets students write to nobody', async () => {
    const problem = await rejection(expand(directory, ['group:mine'], { owner: 'a', role: 'student' }))
    expect([problem.status, problem.code]).to.deep.equal([403, 'not-your-audience'])
  })

  it('lets trainers write to their groups and cohorts and the members of their groups', async () => {
    expect(await expand(directory, ['group:mine', 'user:b'], trainer)).to.deep.equal(['Z', 'a', 'b'])
    expect(await expand(directory, ['cohort:both'], trainer)).to.have.length(5)
  })

  it('keeps trainers from everyone else, naming the token', async () => {
    for (const token of ['group:other', 'group:empty', 'cohort:theirs', 'user:c', 'user:d', 'role:student']) {
      const problem = await rejection(expand(directory, ['group:mine', token], trainer))
      expect([problem.status, problem.code, problem.field], token).to.deep.equal([403, 'not-your-audience', 'to.1'])
      expect(problem.message).to.contain(token)
    }
  })

  it('does not take a part of an owner for the owner', async () => {
    const problem = await rejection(expand(directory, ['group:mine'], { owner: 'trainer', role: 'trainer' }))
    expect(problem.code).to.equal('not-your-audience')
  })

  it('expands a big group quickly and completely', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `p${String(index).padStart(6, '0')}`)
    await directory.putGroup({ id: 'big', name: 'Big', owners: [] })
    await fresh.redis.sadd(keys.members('big'), ...[...ids].reverse())
    expect(await expand(directory, ['group:big'], staff)).to.deep.equal(ids)
  })
})
