import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, ImportReport } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'
import { expand } from './expand.ts'

const header = 'id,name,role,timezone,language,telegram,vk,phone,groups,owns'
const anna = 'anna,Анна Иванова,student,Europe/Moscow,ru,7001,5001,8 900 123-45-67,year-1/ivt-101|chess,'
const boris = 'boris,Борис Петров,trainer,Asia/Omsk,en,,5002,,,ivt-101|cohort:year-1'

describe('roster import', () => {
  let fresh: FreshRedis
  let directory: Directory

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  const importLines = (...lines: string[]) => directory.importCsv(bytes([header, ...lines].join('\n')))
  const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [created, updated, unchanged, rejected]

  it('writes people, contacts, groups, cohorts and owners', async () => {
    const { id, ...report } = await importLines(anna, boris)
    expect(id).to.match(/^[0-9a-f]{16}$/)
    expect(report).to.deep.equal({
      created: 2,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      removed: 0,
      columns: header.split(','),
      groups: [
        { kind: 'group', id: 'ivt-101', name: 'ivt-101' },
        { kind: 'cohort', id: 'year-1', name: 'year-1' },
        { kind: 'group', id: 'chess', name: 'chess' },
      ],
      leavers: [],
      lines: [],
    })
    expect(await directory.getPerson('anna')).to.deep.equal({
      id: 'anna',
      name: 'Анна Иванова',
      role: 'student',
      timeZone: 'Europe/Moscow',
      language: 'ru',
      contacts: {
        telegram: { address: '7001', state: 'active' },
        vk: { address: '5001', state: 'active' },
        sms: { address: '+79001234567', state: 'active' },
      },
      groups: ['chess', 'ivt-101'],
      topics: [],
    })
    expect(await directory.personOf('sms', '+79001234567')).to.equal('anna')
    expect(await directory.listGroups()).to.deep.equal([
      { id: 'chess', name: 'chess', owners: [], size: 1 },
      { id: 'ivt-101', name: 'ivt-101', owners: ['boris'], size: 1 },
    ])
    expect(await directory.listCohorts()).to.deep.equal([
      { id: 'year-1', name: 'year-1', owners: ['boris'], groups: ['ivt-101'] },
    ])
    expect(await expand(directory, ['cohort:year-1'], { owner: 'boris', role: 'trainer' })).to.deep.equal(['anna'])
    expect(await expand(directory, ['role:student'], { owner: 'x', role: 'staff' })).to.deep.equal(['anna'])
  })

  it('changes nothing when it is repeated', async () => {
    await importLines(anna, boris)
    const before = await dump()
    expect(counts(await importLines(anna, boris))).to.deep.equal([0, 0, 2, 0])
    expect(await dump()).to.deep.equal(before)
  })

  it('corrects what differs and leaves what a cell does not say', async () => {
    await importLines(anna, boris)
    const report = await importLines('anna,Анна Сидорова,staff,,,,5009,,,')
    expect(counts(report)).to.deep.equal([0, 1, 0, 0])
    const person = await directory.getPerson('anna')
    expect(person).to.include({ name: 'Анна Сидорова', role: 'staff', timeZone: 'Europe/Moscow', language: 'ru' })
    expect(person?.groups).to.deep.equal(['chess', 'ivt-101'])
    expect(person?.contacts.vk?.address).to.equal('5009')
    expect(person?.contacts.telegram?.address).to.equal('7001')
    expect(await directory.personOf('vk', '5001')).to.equal(undefined)
    expect(await expand(directory, ['role:student'], { owner: 'x', role: 'staff' })).to.deep.equal([])
  })

  it('calls a new group, cohort or owner an update', async () => {
    await importLines(anna, boris)
    const annas = anna.replace('|chess', '|year-2/chess')
    expect(counts(await importLines(annas))).to.deep.equal([0, 1, 0, 0])
    expect(counts(await importLines(boris.replace('cohort:year-1', 'cohort:year-2')))).to.deep.equal([0, 1, 0, 0])
    expect((await directory.getCohort('year-2'))?.owners).to.deep.equal(['boris'])
    expect(counts(await importLines(annas, boris))).to.deep.equal([0, 0, 2, 0])
  })

  it('makes no group of a rejected line, and calls only the first line that brings a group an update', async () => {
    const people = Array.from({ length: 1100 }, (_, index) => `p${index},Name,student,,,,,,g,`)
    await importLines(...people)
    const inCohort = people.map((line) => line.replace(',g,', ',s/g,'))
    const report = await importLines('x,X,student,,,,,12,other/g|h,', ...inCohort)
    expect(counts(report)).to.deep.equal([0, 1, 1099, 1])
    expect((await directory.listGroups()).map(({ id }) => id)).to.deep.equal(['g'])
    expect(await directory.listCohorts()).to.deep.equal([{ id: 's', name: 's', owners: [], groups: ['g'] }])
  })

  it('makes no group of a line whose address is taken', async () => {
    await importLines(anna)
    await importLines('x,X,student,,,7001,,,s/h,h')
    expect((await directory.listGroups()).map(({ id }) => id)).to.deep.equal(['chess', 'ivt-101'])
    expect((await directory.listCohorts()).map(({ id }) => id)).to.deep.equal(['year-1'])
  })

  it('does not make a blocked contact usable again', async () => {
    await importLines(anna)
    await directory.markContact('vk', 'anna', '5001', { state: 'blocked', reason: '901', agoMs: () => 0 })
    expect(counts(await importLines(anna))).to.deep.equal([0, 0, 1, 0])
    expect((await directory.contactsOf('vk', ['anna']))[0]?.state).to.equal('blocked')
  })

  it('takes the defaults of the directory for new people', async () => {
    await directory.importCsv(bytes('id,name,role\nanna,Anna,student'))
    expect(await directory.getPerson('anna')).to.include({ timeZone: 'UTC', language: 'en' })
  })

  it('rejects a bad line with its number and column, and imports the others', async () => {
    const bad: [string, string | undefined, string][] = [
      ['№,Name,student,,,,,,,', 'id', 'is not an id'],
      [',Name,student,,,,,,,', 'id', 'is not an id'],
      ['b2,,student,,,,,,,', 'name', 'empty'],
      ['b3,Name,boss,,,,,,,', 'role', '"boss" is not a role'],
      ['b4,Name,,,,,,,,', 'role', 'is not a role'],
      ['b5,Name,student,Moscow,,,,,,', 'timezone', 'Europe/Moscow'],
      ['b6,Name,student,,ru_RU,,,,,', 'language', 'language tag'],
      ['b7,Name,student,,,@anna,,,,', 'telegram', 'user id'],
      ['b8,Name,student,,,,id5001,,,', 'vk', 'user id'],
      ['b9,Name,student,,,,,12345,,', 'phone', '"12345" is not a telephone number'],
      ['b10,Name,student,,,,,,a:b,', 'groups', 'is not an id'],
      ['b11,Name,student,,,,,,a/b/c,', 'groups', 'cohort/group'],
      ['b12,Name,student,,,,,,,role:staff', 'owns', 'is not an id'],
      ['b13,Name,student,,,,,,,,', undefined, '11 cells where the header has 10'],
      ['b14,Name', undefined, '2 cells where the header has 10'],
      ['b15,"Name,student,,,,,,,', undefined, 'quote'],
    ]
    const report = await importLines(anna, ...bad.map(([line]) => line), boris)
    expect(counts(report)).to.deep.equal([2, 0, 0, bad.length])
    for (const [index, [line, field, message]] of bad.entries()) {
      expect(report.lines[index], line).to.include({ line: index + 3, status: 'rejected' })
      expect(report.lines[index]?.field, line).to.equal(field)
      expect(report.lines[index]?.message, line).to.contain(message)
    }
    const people = (await directory.listPeople('', 100)).map(({ id }) => id)
    expect(people).to.deep.equal(['anna', 'boris'])
    expect((await directory.listGroups()).map(({ id }) => id)).to.deep.equal(['chess', 'ivt-101'])
  })

  it('rejects an address that is somebody else’s, and writes nothing of that line', async () => {
    await importLines(anna)
    const report = await importLines(
      'carl,Carl,student,,,7009,5001,,newgroup,', // vk of anna
      'dora,Dora,student,,,7010,,,,',
      'emil,Emil,student,,,7010,,,,', // telegram of dora, in the same file
    )
    expect(counts(report)).to.deep.equal([1, 0, 0, 2])
    expect(report.lines.map(({ cells: _, mistakes: _all, ...line }) => line)).to.deep.equal([
      {
        line: 2,
        status: 'rejected',
        person: 'carl',
        field: 'vk',
        code: 'address-taken',
        message: '5001 belongs to anna',
      },
      {
        line: 4,
        status: 'rejected',
        person: 'emil',
        field: 'telegram',
        code: 'address-taken',
        message: '7010 belongs to dora',
      },
    ])
    expect(await directory.getPerson('carl')).to.equal(undefined)
    expect(await directory.personOf('telegram', '7009')).to.equal(undefined)
    expect(await directory.getGroup('newgroup')).to.equal(undefined)
  })

  it('moves an address that its owner gives up on an earlier line', async () => {
    await importLines(anna)
    const report = await importLines('anna,Анна Иванова,student,,,,5009,,,', 'carl,Carl,student,,,,5001,,,')
    expect(counts(report)).to.deep.equal([1, 1, 0, 0])
    expect(await directory.personOf('vk', '5001')).to.equal('carl')
    expect(await directory.personOf('vk', '5009')).to.equal('anna')
  })

  it('takes an address that only a crash has left behind', async () => {
    await fresh.redis.set(keys.contactOf('vk', '5001'), 'ghost')
    expect(counts(await importLines(anna))).to.deep.equal([1, 0, 0, 0])
    expect(await directory.personOf('vk', '5001')).to.equal('anna')
  })

  it('completes an import that was cut off before the records', async () => {
    await importLines(anna, boris)
    const whole = await dump()
    await fresh.redis.del(keys.people(bucketOf('anna')), keys.contacts(bucketOf('boris'), 'vk'), keys.members('chess'))
    expect(counts(await importLines(anna, boris))).to.deep.equal([1, 1, 0, 0])
    expect(await dump()).to.deep.equal(whole)
  })

  it('tells the same line again from the same person with other data', async () => {
    const report = await importLines(anna, boris, anna, anna.replace('Иванова', 'Петрова'))
    expect(counts(report)).to.deep.equal([2, 0, 1, 1])
    expect(report.lines.map(({ cells: _, mistakes: _all, ...line }) => line)).to.deep.equal([
      { line: 4, status: 'unchanged', person: 'anna', code: 'repeated-line', message: 'the same as line 2' },
      {
        line: 5,
        status: 'rejected',
        person: 'anna',
        field: 'id',
        code: 'repeated-person',
        message: 'is on line 2 too, with other data',
      },
    ])
    expect(await directory.namesOf(['anna'])).to.deep.equal(['Анна Иванова'])
  })

  it('lets a later line stand for a person whose first line was rejected', async () => {
    const report = await importLines(anna.replace('8 900', '8'), anna)
    expect(counts(report)).to.deep.equal([1, 0, 0, 1])
  })

  it('reports every line when asked to, and how far it is', async () => {
    const progress: number[] = []
    const people = Array.from({ length: 1200 }, (_, index) => `p${index},Name ${index},student,,,,,,g,`)
    const report = await directory.importCsv(bytes([header, ...people].join('\n')), {
      allLines: true,
      onProgress: (done) => progress.push(done),
    })
    expect(report.lines).to.have.length(1200)
    expect(report.lines[1199]).to.deep.equal({ line: 1201, status: 'created', person: 'p1199', name: 'Name 1199' })
    expect(progress.at(-1)).to.equal(1200)
    expect(progress.length).to.be.greaterThan(1)
    expect((await directory.getGroup('g'))?.size).to.equal(1200)
  })

  /** but for what is kept so that each import can be taken back */
  async function dump(): Promise<Record<string, unknown>> {
    const { redis } = fresh
    const all: Record<string, unknown> = {}
    for (const key of (await redis.keys('*')).filter((name) => !name.startsWith('import')).sort()) {
      const type = await redis.type(key)
      if (type === 'hash') all[key] = await redis.hgetall(key)
      else if (type === 'set') all[key] = (await redis.smembers(key)).sort()
      else if (type === 'zset') all[key] = await redis.zrange(key, '0', '-1')
      else all[key] = await redis.get(key)
    }
    return all
  }
})
