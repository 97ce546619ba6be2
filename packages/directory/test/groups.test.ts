import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { aPerson, rejection } from './people.ts'

describe('groups and cohorts', () => {
  let fresh: FreshRedis
  let directory: Directory
  const group = (id: string, owners: string[] = []) => ({ id, name: `Group ${id}`, owners })

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  it('puts, shows and lists groups', async () => {
    expect(await directory.putGroup(group('b', ['y', 'x', 'y']))).to.equal('created')
    expect(await directory.putGroup(group('b', ['x', 'y']))).to.equal('unchanged')
    expect(await directory.putGroup(group('b', ['x']))).to.equal('updated')
    await directory.putGroup(group('a'))
    expect(await directory.getGroup('b')).to.deep.equal({ id: 'b', name: 'Group b', owners: ['x'], size: 0 })
    expect((await directory.listGroups()).map(({ id }) => id)).to.deep.equal(['a', 'b'])
    expect(await directory.getGroup('c')).to.equal(undefined)
  })

  it('adds and removes members, each once', async () => {
    for (const id of ['p', 'q']) await directory.putPerson(aPerson(id))
    await directory.putGroup(group('g'))
    expect(await directory.addMembers('g', ['q', 'p', 'q'])).to.equal(2)
    expect(await directory.addMembers('g', ['p'])).to.equal(0)
    expect(await directory.membersOf('g')).to.deep.equal(['p', 'q'])
    expect(await directory.removeMembers('g', ['p', 'x'])).to.equal(1)
    expect((await directory.getGroup('g'))?.size).to.equal(1)
    expect(await directory.addMembers('g', [])).to.equal(0)
  })

  it('adds nobody when one of them is unknown', async () => {
    await directory.putPerson(aPerson('p'))
    await directory.putGroup(group('g'))
    const problem = await rejection(directory.addMembers('g', ['p', 'x']))
    expect([problem.status, problem.code, problem.field]).to.deep.equal([422, 'unknown-person', 'people.1'])
    expect(await directory.membersOf('g')).to.deep.equal([])
    expect((await rejection(directory.addMembers('x', ['p']))).code).to.equal('unknown-group')
    expect((await rejection(directory.removeMembers('x', ['p']))).code).to.equal('unknown-group')
  })

  it('replaces the groups of a cohort', async () => {
    for (const id of ['g1', 'g2', 'g3']) await directory.putGroup(group(id))
    const cohort = { ...group('s'), groups: ['g2', 'g1', 'g2'] }
    expect(await directory.putCohort(cohort)).to.equal('created')
    expect(await directory.putCohort(cohort)).to.equal('unchanged')
    expect(await directory.putCohort({ ...cohort, groups: ['g3'] })).to.equal('updated')
    expect(await directory.getCohort('s')).to.deep.equal({ ...group('s'), groups: ['g3'] })
    expect(await directory.putCohort({ ...cohort, groups: [] })).to.equal('updated')
    expect(await directory.listCohorts()).to.deep.equal([{ ...group('s'), groups: [] }])
    const problem = await rejection(directory.putCohort({ ...cohort, groups: ['g1', 'x'] }))
    expect([problem.status, problem.code, problem.field]).to.deep.equal([422, 'unknown-group', 'groups.1'])
  })

  it('deletes a group from its cohorts too, and a cohort without its groups', async () => {
    await directory.putPerson(aPerson('p'))
    await directory.putGroup(group('g'))
    await directory.addMembers('g', ['p'])
    await directory.putCohort({ ...group('s'), groups: ['g'] })
    expect(await directory.deleteGroup('g')).to.equal(true)
    expect(await directory.deleteGroup('g')).to.equal(false)
    expect((await directory.getCohort('s'))?.groups).to.deep.equal([])
    await directory.putGroup(group('h'))
    await directory.putCohort({ ...group('s'), groups: ['h'] })
    expect(await directory.deleteCohort('s')).to.equal(true)
    expect(await directory.deleteCohort('s')).to.equal(false)
    expect(await directory.listCohorts()).to.deep.equal([])
    expect((await directory.listGroups()).map(({ id }) => id)).to.deep.equal(['h'])
    expect(await fresh.redis.exists(keys.members('g'), keys.cohortGroups('s'))).to.equal(0)
  })

  it('refuses bad ids, names and owners', async () => {
    for (const [bad, field] of [
      [{ ...group('a:b') }, 'id'],
      [{ ...group('g'), name: '' }, 'name'],
      [group('g', ['ok', 'not ok']), 'owners.1'],
    ] as const) {
      expect((await rejection(directory.putGroup(bad))).field).to.equal(field)
      expect((await rejection(directory.putCohort({ ...bad, groups: [] }))).field).to.equal(field)
    }
    expect(await fresh.redis.dbsize()).to.equal(0)
  })
})
