import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'
import { expand } from './expand.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson } from './people.ts'

describe('directory, interrupted', () => {
  let fresh: FreshRedis
  let frail: InterruptedRedis
  let directory: Directory
  let frailDirectory: Directory

  const on = (redis: Redis) => createDirectory({ redis, country: 'RU' })

  beforeEach(async () => {
    fresh = await freshRedis()
    frail = new InterruptedRedis(fresh.url)
    await frail.ping()
    directory = on(fresh.redis)
    frailDirectory = on(frail)
    for (const id of ['anna', 'boris', 'carl']) await directory.putPerson(aPerson(id))
  })
  afterEach(async () => {
    frail.disconnect()
    await fresh.stop()
  })

  /** Runs `work` from the same start again and again, dying one command later each time, until it comes to its end. */
  async function dyingEverywhere<T>(
    prepare: () => Promise<T>,
    work: (prepared: T) => Promise<unknown>,
    check: () => unknown,
  ) {
    for (let commands = 0; ; commands++) {
      const prepared = await prepare()
      frail.dieAfter(commands)
      const died = await work(prepared).then(
        () => false,
        () => true,
      )
      frail.before = undefined
      await check()
      if (!died) return commands
    }
  }

  const holders = async (address: string) => {
    const people = ['anna', 'boris', 'carl']
    const contacts = await directory.contactsOf('vk', people)
    return people.filter((_, index) => contacts[index]?.address === address)
  }

  it('a link that dies anywhere never leaves an address with two, and is completed by repeating', async () => {
    const commands = await dyingEverywhere(
      async () => {
        await directory.linkContact('vk', 'anna', '1')
        await directory.linkContact('vk', 'boris', '2')
      },
      () => frailDirectory.linkContact('vk', 'boris', '1'),
      async () => {
        expect(await holders('1')).to.have.length.at.most(1)
        await directory.linkContact('vk', 'boris', '1')
        expect(await holders('1')).to.deep.equal(['boris'])
        expect(await directory.personOf('vk', '1')).to.equal('boris')
        expect(await directory.personOf('vk', '2')).to.equal(undefined)
      },
    )
    expect(commands).to.be.greaterThan(5)
  })

  it('an address of a link that died can be linked by a third', async () => {
    await dyingEverywhere(
      () => directory.linkContact('vk', 'anna', '1'),
      () => frailDirectory.linkContact('vk', 'boris', '1'),
      async () => {
        await directory.linkContact('vk', 'carl', '1')
        expect(await holders('1')).to.deep.equal(['carl'])
      },
    )
  })

  it('an address does not lead to a person who has another one', async () => {
    await directory.linkContact('vk', 'anna', '1')
    await fresh.redis.set(keys.contactOf('vk', '2'), 'anna')
    expect(await directory.personOf('vk', '2')).to.equal(undefined)
  })

  it('a link made in the middle of another loses to it', async () => {
    frail.interruptBefore('set', () => directory.linkContact('vk', 'anna', '1'))
    await frailDirectory.linkContact('vk', 'boris', '1')
    expect(await holders('1')).to.deep.equal(['boris'])
  })

  it('a link that is overtaken before its last step gives way', async () => {
    frail.interruptBefore('evalsha', () => directory.linkContact('vk', 'anna', '1'))
    await frailDirectory.linkContact('vk', 'boris', '1')
    expect(await holders('1')).to.deep.equal(['anna'])
  })

  it('a person half put or half deleted is completed by repeating', async () => {
    const promoted = { ...aPerson('anna'), role: 'staff' } as const
    const inRole = (role: string) => expand(directory, [`role:${role}`], { owner: 'x', role: 'admin' })
    await dyingEverywhere(
      () => directory.putPerson(aPerson('anna')),
      () => frailDirectory.putPerson(promoted),
      async () => {
        await directory.putPerson(promoted)
        expect(await inRole('staff')).to.deep.equal(['anna'])
        expect(await inRole('student')).to.deep.equal(['boris', 'carl'])
      },
    )
    await dyingEverywhere(
      async () => {
        await directory.putPerson(aPerson('anna'), { isReturning: true })
        await directory.linkContact('vk', 'anna', '1')
      },
      () => frailDirectory.deletePerson('anna'),
      async () => {
        await directory.deletePerson('anna')
        const left = await fresh.redis.keys('*anna*')
        expect(left).to.deep.equal([keys.formerName('anna')])
        expect(await directory.namesOf(['anna'])).to.deep.equal([aPerson('anna').name])
        expect(await directory.personOf('vk', '1')).to.equal(undefined)
      },
    )
  })

  it('an import that dies anywhere is completed by importing again', async () => {
    const roster = [
      'id,name,role,vk,groups,owns',
      'anna,Anna,trainer,11,,g1|cohort:s1',
      'dora,Dora,student,12,s1/g1|g2,',
      'emil,Emil,student,13,s1/g1,',
    ].join('\n')
    const wanted = ['dora', 'emil']
    const commands = await dyingEverywhere(
      async () => {
        await fresh.redis.flushdb()
        await directory.putPerson(aPerson('anna'))
        await directory.linkContact('vk', 'anna', '1')
      },
      () => frailDirectory.importCsv(bytes(roster)),
      async () => {
        const again = await directory.importCsv(bytes(roster))
        expect(again.rejected).to.equal(0)
        expect(await directory.importCsv(bytes(roster))).to.include({ unchanged: 3 })
        expect(await expand(directory, ['cohort:s1'], { owner: 'anna', role: 'trainer' })).to.deep.equal(wanted)
        expect(
          (await directory.contactsOf('vk', ['anna', ...wanted])).map((contact) => contact?.address),
        ).to.deep.equal(['11', '12', '13'])
        expect(await directory.listPeople('', 10)).to.have.length(3)
        expect(await expand(directory, ['role:student'], { owner: 'x', role: 'staff' })).to.deep.equal(wanted)
        expect((await directory.getPerson('dora'))?.groups).to.deep.equal(['g1', 'g2'])
      },
    )
    expect(commands).to.be.greaterThan(30)
  })

  it('taking an import back that dies anywhere is completed by taking it back again', async () => {
    const { redis } = fresh
    const known = ['id,name,role,vk,groups', 'anna,Anna,student,1,old', 'boris,Boris,student,2,old'].join('\n')
    const roster = ['id,name,role,vk,groups,owns', 'anna,Anne,trainer,11,new,old', 'dora,Dora,student,12,c/new,'].join(
      '\n',
    )
    const everything = async () => {
      const people = await Promise.all(['anna', 'boris', 'dora'].map((id) => directory.getPerson(id)))
      const wishes = await directory.wishesOf('boris')
      return [people, wishes, await directory.listGroups(), await directory.listCohorts()]
    }
    let before: unknown
    let id = ''
    const commands = await dyingEverywhere(
      async () => {
        await redis.flushdb()
        await directory.importCsv(bytes(known))
        await directory.setConsent('vk', 'boris', false)
        await directory.changeWishes('boris', () => ({ off: ['news'] }))
        before = await everything()
        const leavers = { leavers: true, leaversConfirmed: 1 }
        const list = (how: object) =>
          directory.importCsv(bytes(`${roster}\nemil,Emil,student,,,`), { ...leavers, ...how })
        const { version } = await list({ dryRun: true })
        id = (await list({ version })).id as string
        return directory.takeBackImport(id, { dryRun: true })
      },
      ({ version }) => frailDirectory.takeBackImport(id, { version }),
      async () => {
        const { version } = await directory.takeBackImport(id, { dryRun: true })
        const { refused } = await directory.takeBackImport(id, { version })
        expect(refused).to.equal(0)
        expect(await everything()).to.deep.equal(before)
        expect(await redis.smembers(keys.removedPeople(bucketOf('dora')))).not.to.include('dora')
        expect(await redis.hlen(keys.importPeople(id))).to.equal(0)
      },
    )
    expect(commands).to.be.greaterThan(50)
  })

  it('an import wins over a link made in the middle of it', async () => {
    frail.interruptBefore('set', () => directory.linkContact('vk', 'anna', '5'))
    await frailDirectory.importCsv(bytes('id,name,role,vk\nboris,Boris,student,5\n'))
    expect(await holders('5')).to.deep.equal(['boris'])
  })
})
