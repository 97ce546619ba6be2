import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, Topic } from '../src/directory.ts'
import { expand } from './expand.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson, rejection } from './people.ts'

const choir: Topic = { id: 'choir', name: { ru: 'Хор', en: 'Choir' }, senders: ['leader', 'staff'], open: true }

describe('topics', () => {
  let fresh: FreshRedis
  let directory: Directory
  /** another connection, on which something may happen between two commands */
  let interrupted: InterruptedRedis
  let other: Directory
  const on = (redis: FreshRedis['redis']) => createDirectory({ redis, country: 'RU' })

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = on(fresh.redis)
    interrupted = new InterruptedRedis(fresh.url)
    other = on(interrupted)
    for (const id of ['anna', 'boris']) await directory.putPerson(aPerson(id))
    await directory.putPerson(aPerson('leader', 'trainer'))
    await directory.putTopic(choir)
  })
  afterEach(async () => {
    interrupted.disconnect()
    await fresh.stop()
  })

  it('are made, changed and removed; whoever has joined stays', async () => {
    expect(await directory.putTopic({ ...choir, senders: ['staff', 'leader', 'staff'] })).to.equal('unchanged')
    await directory.joinTopic('choir', 'anna')
    expect(await directory.putTopic({ ...choir, open: false })).to.equal('updated')
    expect(await directory.listTopics()).to.deep.equal([{ ...choir, open: false, size: 1 }])
    expect(await directory.deleteTopic('choir')).to.equal(true)
    expect(await directory.deleteTopic('choir')).to.equal(false)
    await directory.putTopic(choir)
    expect((await directory.getTopic('choir'))?.size).to.equal(0)
  })

  it('are joined once, and only while they are open, but for whom an operator puts in', async () => {
    expect(await directory.joinTopic('choir', 'anna')).to.equal(true)
    expect(await directory.joinTopic('choir', 'anna')).to.equal(false)
    await directory.putTopic({ ...choir, open: false })
    expect(await directory.joinTopic('choir', 'anna'), 'who is in it already').to.equal(false)
    const closed = await rejection(directory.joinTopic('choir', 'boris'))
    expect([closed.status, closed.code]).to.deep.equal([403, 'topic-closed'])
    expect(await directory.joinTopic('choir', 'boris', { isInvited: true })).to.equal(true)
    expect(await directory.leaveTopic('choir', 'boris')).to.equal(true)
    expect(await directory.leaveTopic('choir', 'boris')).to.equal(false)
    expect(await directory.peopleInTopic('choir')).to.deep.equal(['anna'])
    expect(await directory.topicsOf('anna')).to.deep.equal(['choir'])
    expect((await rejection(directory.joinTopic('none', 'anna'))).code).to.equal('unknown-topic')
    expect((await rejection(directory.leaveTopic('none', 'anna'))).code).to.equal('unknown-topic')
    expect((await rejection(directory.joinTopic('choir', 'nobody', { isInvited: true }))).code).to.equal(
      'unknown-person',
    )
    expect(await directory.peopleInTopic('choir')).to.deep.equal(['anna'])
  })

  it('are left by whoever is removed, also by who is joining at that moment', async () => {
    await directory.joinTopic('choir', 'anna')
    await directory.deletePerson('anna')
    expect(await directory.peopleInTopic('choir')).to.deep.equal([])
    // removed between the look at the topic and the joining
    interrupted.interruptBefore('sadd', () => directory.deletePerson('boris'))
    expect((await rejection(other.joinTopic('choir', 'boris'))).code).to.equal('unknown-person')
    expect(await directory.peopleInTopic('choir')).to.deep.equal([])
    // and joined while the removal is at its last step
    await directory.putPerson(aPerson('clara'))
    let joined: Promise<unknown> | undefined
    interrupted.interruptBeforeScript('put-people', async () => {
      joined = rejection(directory.joinTopic('choir', 'clara'))
      await joined
    })
    await other.deletePerson('clara')
    expect(joined, 'somebody was joining').not.to.equal(undefined)
    expect(await directory.peopleInTopic('choir')).to.deep.equal([])
  })

  it('that are removed keep nobody, also not who is joining at that moment', async () => {
    interrupted.interruptBefore('sadd', () => directory.deleteTopic('choir'))
    expect((await rejection(other.joinTopic('choir', 'anna'))).code).to.equal('unknown-topic')
    expect(await fresh.redis.exists(keys.topicMembers('choir'))).to.equal(0)
  })

  it('begin empty when the removal of one of that name was cut off after any command', async () => {
    for (let commands = 0; commands < 3; commands += 1) {
      await directory.putTopic(choir)
      await directory.joinTopic('choir', 'anna')
      interrupted.dieAfter(commands)
      await other.deleteTopic('choir').catch(() => undefined)
      if ((await directory.getTopic('choir')) !== undefined) continue
      expect(await directory.putTopic(choir)).to.equal('created')
      expect(await directory.peopleInTopic('choir'), `after ${commands}`).to.deep.equal([])
    }
  })

  it('are written to by their senders alone: those named, and roles with those above them', async () => {
    await directory.joinTopic('choir', 'anna')
    const may = async (owner: string, role: Parameters<typeof expand>[2]['role']) =>
      expand(directory, ['topic:choir'], { owner, role }).then(
        (people) => people,
        (problem) => problem.code,
      )
    expect(await may('leader', 'trainer')).to.deep.equal(['anna'])
    expect(await may('d-1', 'staff')).to.deep.equal(['anna'])
    expect(await may('root', 'admin')).to.deep.equal(['anna'])
    expect(await may('t-2', 'trainer')).to.equal('not-your-audience')
    await directory.putTopic({ ...choir, senders: ['leader'] })
    expect(await may('leader', 'trainer')).to.deep.equal(['anna'])
    for (const role of ['staff', 'operator', 'admin'] as const)
      expect(await may('d-1', role)).to.equal('not-your-audience')
    // a role as a sender is no person of that name, and a demoted sender sends to nobody
    await directory.putTopic({ ...choir, senders: ['staff', 'leader'] })
    expect(await may('staff', 'trainer')).to.equal('not-your-audience')
    expect(await may('leader', 'student')).to.equal('not-your-audience')
    expect((await rejection(expand(directory, ['topic:none'], { owner: 'root', role: 'admin' }))).code).to.equal(
      'unknown-audience',
    )
  })
})
