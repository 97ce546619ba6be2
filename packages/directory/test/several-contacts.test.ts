/** Several phones of one person: by the office one by one, by a list, and when a list is taken back. */
import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, ImportReport } from '../src/directory.ts'
import { personShownTo } from '../src/reading.ts'
import { placeAddresses, withAdditions } from '../src/roster/placed-addresses.ts'
import { bytes } from './csv-bytes.ts'
import { InterruptedRedis } from './interrupted-redis.ts'
import { aPerson, rejection } from './people.ts'

const [one, two, three, four] = ['+79000000001', '+79000000002', '+79000000003', '+79000000004'] as const
const header = 'id,name,role,phone,phone2,phone3'

describe('several contacts of one person', () => {
  let fresh: FreshRedis
  let directory: Directory
  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
    for (const id of ['anna', 'boris']) await directory.putPerson(aPerson(id))
  })
  afterEach(() => fresh.stop())

  const stored = async (person: string) => (await directory.getPerson(person))?.contacts.sms
  async function phones(person: string): Promise<string[]> {
    const first = await stored(person)
    return first ? [first, ...(first.others ?? [])].map(({ address }) => address) : []
  }
  const owner = (address: string) => directory.personOf('sms', address)
  async function have(person: string, ...addresses: string[]): Promise<void> {
    const [first, ...others] = addresses
    if (first) await directory.linkContact('sms', person, first)
    for (const address of others) await directory.addContact('sms', person, address)
  }

  describe('linked one by one', () => {
    it('stay where they are when they are linked again, and only the first is replaced', async () => {
      await have('anna', one, two)
      await directory.linkContact('sms', 'anna', two, { consents: true, agreed: { by: 'code' } })
      expect(await phones('anna')).to.deep.equal([one, two])
      expect((await stored('anna'))?.agreed, 'of the address alone').to.equal(undefined)
      expect((await stored('anna'))?.others?.[0]?.agreed?.by).to.equal('code')
      await directory.linkContact('sms', 'anna', three)
      expect(await phones('anna')).to.deep.equal([three, two])
      expect([await owner(one), await owner(two)]).to.deep.equal([undefined, 'anna'])
    })

    it('are three at most, on SMS alone; one of somebody else is taken from them', async () => {
      await have('anna', one, two, three)
      await have('boris', four)
      expect((await rejection(directory.addContact('sms', 'anna', four))).code).to.equal('enough-contacts')
      expect(await owner(four)).to.equal('boris')
      expect((await rejection(directory.addContact('vk', 'anna', '5001'))).code).to.equal('one-contact')
      expect(await directory.addContact('sms', 'boris', two)).to.deep.equal({ address: two, takenFrom: 'anna' })
      expect([await phones('anna'), await phones('boris')]).to.deep.equal([
        [one, three],
        [four, two],
      ])
    })

    it('agree by the one that START comes from; a STOP is of all', async () => {
      await have('anna', one, two)
      await directory.setConsent('sms', 'anna', false, { address: two })
      const states = async () => [(await stored('anna'))?.state, (await stored('anna'))?.others?.[0]?.state]
      expect(await states()).to.deep.equal(['opted-out', 'opted-out'])
      expect(await directory.setConsent('sms', 'anna', true, { address: four, agreed: { by: 'start' } })).to.equal(
        false,
      )
      await directory.setConsent('sms', 'anna', true, { address: two, agreed: { by: 'start' } })
      expect(await states()).to.deep.equal(['active', 'active'])
      expect([(await stored('anna'))?.agreed, (await stored('anna'))?.others?.[0]?.agreed?.by]).to.deep.equal([
        undefined,
        'start',
      ])
      expect((await directory.contactsOf('sms', ['anna']))[0]?.address, 'the agreed one first').to.equal(two)
    })

    it('show others how the one fares that messages go to, and none of the addresses', async () => {
      await have('anna', one, two)
      await directory.markContact('sms', 'anna', one, { state: 'blocked', reason: 'barred', agoMs: () => 0 })
      const anna = (await directory.getPerson('anna')) ?? expect.fail('no anna')
      const toTrainer = personShownTo({ owner: 't-01', role: 'trainer' }, anna)
      expect(toTrainer.contacts.sms).to.deep.equal({ state: 'active' })
      const toOperator = personShownTo({ owner: 'op', role: 'operator' }, anna)
      expect(toOperator.contacts.sms).to.deep.include({ address: one, others: [{ address: two, state: 'active' }] })
    })

    it('go with their person, all of them', async () => {
      await have('anna', one, two, three)
      await directory.deletePerson('anna')
      expect(await fresh.redis.exists([one, two, three].map((address) => keys.contactOf('sms', address)))).to.equal(0)
      expect(await fresh.redis.exists(keys.contacts(bucketOf('anna'), 'sms'))).to.equal(0)
    })
  })

  describe('of a list', () => {
    const load = (...lines: string[]) => directory.importCsv(bytes([header, ...lines].join('\n')))
    const anna = (...written: string[]) => `anna,Anna,student,${written.join(',')}`
    const takeBack = async ({ id = '' }: ImportReport) => {
      const { version } = await directory.takeBackImport(id, { dryRun: true })
      return directory.takeBackImport(id, { version: version as string })
    }
    const put = () => directory.putPerson({ ...aPerson('anna'), name: 'Anna', role: 'student' })

    it('are as they are written; again they are unchanged, and an empty cell takes none away', async () => {
      const lines = [anna(one, two, three), 'dora,Dora,student,,8 900 000-00-04,+7 900 0000004']
      expect(await load(...lines)).to.deep.include({ created: 1, updated: 1, rejected: 0 })
      expect(await phones('anna')).to.deep.equal([one, two, three])
      expect(await phones('dora'), 'one that is written twice').to.deep.equal([four])
      expect(await load(...lines)).to.deep.include({ created: 0, updated: 0, unchanged: 2 })
      expect(await load(anna('', two, ''))).to.deep.include({ unchanged: 1 })
      expect(await phones('anna')).to.deep.equal([one, two, three])
    })

    it('stay where they are, and what is new goes to its place', async () => {
      await put()
      await have('anna', one, two)
      await load(anna(two, three, ''))
      expect(await phones('anna')).to.deep.equal([three, two])
      expect([await owner(one), await owner(three)]).to.deep.equal([undefined, 'anna'])
      await load(anna('', '', four))
      expect(await phones('anna')).to.deep.equal([three, two, four])
      await load(anna('', '', one))
      expect(await phones('anna')).to.deep.equal([three, two, one])
    })

    it('of somebody else are refused, and the mistake is in their own column', async () => {
      await have('boris', one, two)
      const { lines } = await load(anna(three, two, 'x'), `carl,Carl,student,,,${two}`)
      expect(lines.map(({ field, code }) => [field, code])).to.deep.equal([
        ['phone3', 'bad-address'],
        ['phone3', 'address-taken'],
      ])
      expect(lines[1]?.mistakes?.[0]?.column).to.equal(6)
      expect(await phones('boris')).to.deep.equal([one, two])
    })

    it('move between two people in one list once they are free', async () => {
      await put()
      await have('anna', one, two)
      const dry = await directory.importCsv(
        bytes([header, anna('', three, ''), `carl,Carl,student,${two},,`].join('\n')),
        {
          dryRun: true,
        },
      )
      expect(dry).to.deep.include({ created: 1, updated: 1, rejected: 0 })
      await load(anna('', three, ''), `carl,Carl,student,${two},,`)
      expect([await phones('anna'), await phones('carl')]).to.deep.equal([[one, three], [two]])
    })

    it('are taken back with all that was known of them', async () => {
      await put()
      await have('anna', one, two)
      await directory.setConsent('sms', 'anna', true, { address: two, agreed: { by: 'start' } })
      await directory.markContact('sms', 'anna', one, { state: 'blocked', reason: 'barred', agoMs: () => 0 })
      const before = await stored('anna')
      const list = await load(anna(four, three, ''), `carl,Carl,student,,+79000000005,+79000000006`)
      expect(await phones('anna')).to.deep.equal([four, three])
      expect(await takeBack(list)).to.deep.include({ restored: 1, removed: 1, refused: 0 })
      expect(await stored('anna')).to.deep.equal(before)
      expect(await Promise.all([one, two, three, four].map(owner))).to.deep.equal([
        'anna',
        'anna',
        undefined,
        undefined,
      ])
      expect(await owner('+79000000005')).to.equal(undefined)
    })

    it('are not taken back where one of them is another by now, or somebody else has one; a STOP since stays', async () => {
      await put()
      await have('anna', one)
      const added = await load(anna('', two, three))
      await directory.unlinkContact('sms', 'anna', two)
      const refused = await directory.takeBackImport(added.id as string, { dryRun: true })
      expect(refused.people.map(({ why }) => why)).to.deep.equal(['contact'])
      await load(anna('', '', two))
      const replaced = await load(anna(four, '', ''))
      await directory.linkContact('sms', 'boris', one)
      const taken = await directory.takeBackImport(replaced.id as string, { dryRun: true })
      expect(taken.people.map(({ why }) => why)).to.deep.equal(['address-taken'])
      await directory.unlinkContact('sms', 'boris')
      await directory.setConsent('sms', 'anna', false)
      expect(await takeBack(replaced)).to.deep.include({ restored: 1 })
      expect(await phones('anna')).to.deep.equal([one, three, two])
      const all = await stored('anna')
      expect([all, ...(all?.others ?? [])].map((each) => each?.state)).to.deep.equal(Array(3).fill('opted-out'))
    })

    it('of a leaver come back, all of them', async () => {
      await load(anna(one, two, ''), 'carl,Carl,student,,,', 'dora,Dora,student,,,')
      const csv = [header, 'carl,Carl,student,,,', 'dora,Dora,student,,,', 'boris,boris,student,,,'].join('\n')
      const { version } = await directory.importCsv(bytes(csv), { dryRun: true, leavers: true })
      const list = await directory.importCsv(bytes(csv), { leavers: true, version })
      expect(await phones('anna')).to.deep.equal([])
      const known = await directory.knownOfImports('anna')
      expect(known?.addresses).to.have.members([one, two])
      await takeBack(list)
      expect(await phones('anna')).to.deep.equal([one, two])
      expect(await owner(two)).to.equal('anna')
    })

    it('that dies anywhere, or its taking back does, is completed by the same again', async () => {
      const frail = new InterruptedRedis(fresh.url)
      await frail.ping()
      const mortal = createDirectory({ redis: frail, country: 'RU' })
      const dying = async (work: () => Promise<unknown>, again: () => Promise<unknown>) => {
        const died = await work().then(
          () => false,
          () => true,
        )
        frail.before = undefined
        if (died) await again()
        return died
      }
      try {
        for (let commands = 0, goesOn = true; goesOn; commands += 3) {
          // whoever loads a list reads those that were cut off: each would be a few commands more
          await fresh.redis.del(keys.imports)
          await directory.deletePerson('anna')
          await put().catch(() => directory.putPerson({ ...aPerson('anna'), name: 'Anna' }, { isReturning: true }))
          await have('anna', one, two)
          frail.dieAfter(commands)
          let list: ImportReport | undefined
          const keep = async (made: Promise<ImportReport>) => (list = await made)
          const lines = bytes([header, anna(four, three, '')].join('\n'))
          const died = await dying(
            () => keep(mortal.importCsv(lines)),
            () => keep(load(anna(four, three, ''))),
          )
          expect(await phones('anna'), `after ${commands}`).to.deep.equal([four, three])
          expect(await Promise.all([one, two, three, four].map(owner))).to.deep.equal([
            undefined,
            undefined,
            'anna',
            'anna',
          ])
          if (!died) {
            const { id = '' } = list as unknown as ImportReport
            const { version = '' } = await directory.takeBackImport(id, { dryRun: true })
            frail.dieAfter(8)
            await dying(
              () => mortal.takeBackImport(id, { version }),
              () => directory.takeBackImport(id, { version }),
            )
            expect(await phones('anna')).to.deep.equal([one, two])
          }
          goesOn = died
        }
      } finally {
        frail.disconnect()
      }
    })
  })

  it('are never more than three, nor lose one that the line has, wherever a line puts them', () => {
    const all = [one, two, three, four, '+79000000005']
    const choices = (size: number): string[][] =>
      size === 0 ? [[]] : choices(size - 1).flatMap((rest) => ['', ...all].map((each) => [...rest, each]))
    const had: string[][] = [[], [one], [one, two], [one, two, three]]
    for (const now of had) {
      for (const cells of choices(3)) {
        const written = cells
          .map((address, place) => ({ address, place, column: '' }))
          .filter(({ address }, at) => address !== '' && cells.indexOf(address) === at)
        const after = withAdditions(now, placeAddresses(now, written))
        const what = `${now.join(' ')} with ${cells.join(' ')}`
        expect(after.length, what).to.be.at.most(3)
        expect(new Set(after).size, what).to.equal(after.length)
        expect(after, what).to.include.members(written.map(({ address }) => address))
        for (const [place, address] of after.entries())
          if (now.includes(address)) expect(now[place], `${what}: stays`).to.equal(address)
      }
    }
  })
})
