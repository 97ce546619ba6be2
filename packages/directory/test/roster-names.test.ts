/** What people call groups, and themselves, stands in a list; ids are made of it, always the same. */
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { idOfName } from '../src/ids-of-names.ts'
import { bytes } from './csv-bytes.ts'

describe('names in a roster', () => {
  let fresh: FreshRedis
  let directory: Directory
  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  const load = (...lines: string[]) => directory.importCsv(bytes(lines.join('\n')))
  const groups = async () => (await directory.listGroups()).map(({ id, name, size }) => [id, name, size])

  it('become ids of Latin letters and digits', () => {
    expect(idOfName('ИВТ-101')).to.equal('ivt-101')
    expect(idOfName('  Щукин, Объект № 5 ')).to.match(/^[a-z0-9-]+$/)
    expect(idOfName('1 курс')).to.equal('1-kurs')
    expect(idOfName('№ —')).to.equal(undefined)
    expect(idOfName('я'.repeat(200))).to.have.length.of.at.most(64)
  })

  it('name a group as they are typed, however it is written next', async () => {
    await load('id,name,role,groups', 'a,Анна,student,1 курс/ИВТ-101', 'b,Борис,student,ивт101|ИВТ 101')
    expect(await groups()).to.deep.equal([['ivt-101', 'ИВТ-101', 2]])
    expect((await directory.listCohorts()).map(({ id, name }) => [id, name])).to.deep.equal([['1-kurs', '1 курс']])
    await load('id,name,role,groups', 'c,Вера,student,ивт-101')
    expect(await groups()).to.deep.equal([['ivt-101', 'ИВТ-101', 3]])
  })

  it('give their group to one that was called by its id until now', async () => {
    await load('id,name,role,groups', 'a,Анна,student,ivt-101')
    await load('id,name,role,groups', 'b,Борис,student,ИВТ-101')
    expect(await groups()).to.deep.equal([['ivt-101', 'ИВТ-101', 2]])
  })

  it('are refused with a character that nobody sees, and it is said which and after what', async () => {
    const { lines } = await directory.importCsv(
      bytes(
        'id,name,role,groups\na,Ан\u202eна,student,ИВТ-101\nb,Борис,student,ИВТ-101|ЭКН\u200b-1\nc,Вера,student,ивт-101',
      ),
    )
    const mistakes = lines.flatMap(({ mistakes = [] }) => mistakes.map(({ field, message }) => [field, message]))
    expect(mistakes.map(([field]) => field)).to.deep.equal(['name', 'groups'])
    expect(mistakes[0]?.[1]).to.contain('U+202E after "Ан"')
    expect(mistakes[1]?.[1]).to.contain('U+200B after "ЭКН"')
    expect(await groups()).to.deep.equal([['ivt-101', 'ИВТ-101', 1]])
  })

  it('get a number where another name has the same id', async () => {
    await directory.putGroup({ id: 'ekn-1', name: 'Экономика', owners: [] })
    await load('id,name,role,groups', 'a,Анна,student,ЭКН-1', 'b,Борис,student,ЭКН 1')
    expect(await groups()).to.deep.equal([
      ['ekn-1', 'Экономика', 0],
      ['ekn-1-2', 'ЭКН-1', 2],
    ])
  })

  it('make no other of a person whose id another list writes otherwise, and it is said who that is', async () => {
    await load('id,name,role,phone', 'АБ-12,Иванова Анна,student,+79001110001')
    const { lines, updated } = await load('id,name,role,phone', 'Аб 12,Петров Борис,student,+79001110002')
    expect(updated).to.equal(0)
    expect(lines[0]).to.include({ line: 2, status: 'rejected', person: 'Аб 12', field: 'id', code: 'made-id-taken' })
    expect(lines[0]?.message).to.equal(
      '"Аб 12" becomes ab-12, which is Иванова Анна: write ab-12 if they are meant, or another id',
    )
    expect(lines[0]?.mistakes?.[0]?.meets).to.deep.equal({ id: 'ab-12', name: 'Иванова Анна' })
    expect(await directory.findPerson('ab-12')).to.include({ name: 'Иванова Анна' })
    const [contact] = await directory.contactsOf('sms', ['ab-12'])
    expect(contact?.address).to.equal('+79001110001')
  })

  it('correct the name of whoever has an id that is made, or written as it is', async () => {
    await load('id,name,role', 'АБ-12,Иванова Анна,student')
    expect(await load('id,name,role', 'АБ-12,Петрова Анна Сергеевна,student')).to.include({ updated: 1 })
    expect(await load('id,name,role', 'ab-12,Сидоров Борис,student')).to.include({ updated: 1 })
    expect(await directory.findPerson('ab-12')).to.include({ name: 'Сидоров Борис' })
  })

  it('say whom a teacher owns', async () => {
    await load('id,name,role,owns', 't,Тренёв,trainer,ИВТ-101|cohort:1 курс')
    expect((await directory.getGroup('ivt-101'))?.owners).to.deep.equal(['t'])
    expect((await directory.getCohort('1-kurs'))?.owners).to.deep.equal(['t'])
  })

  it('stand for ids where a list has none, and tell namesakes from each other', async () => {
    const list = ['name,role,groups', 'Иванова Анна,student,ИВТ-101', 'Петров Борис,student,ИВТ-101']
    expect(await load(...list)).to.include({ created: 2 })
    expect(await load(...list)).to.include({ created: 0, unchanged: 2 })
    expect(await directory.findPerson('ivanova-anna')).to.include({ name: 'Иванова Анна' })
    const twice = await load(...list, 'Иванова Анна,student,ИВТ-102')
    expect(twice.lines[0]).to.include({ line: 4, code: 'repeated-person', field: 'name' })
    await directory.putPerson({
      id: 'petrov-ivan',
      name: 'Petrov Ivan',
      role: 'student',
      timeZone: 'UTC',
      language: 'ru',
    })
    const other = await load('name,role', 'Петров Иван,student')
    expect(other.lines[0]).to.include({ code: 'namesake', field: 'name' })
    // a name that is an id as it is written
    const latin = await load('name,role', 'petrov-ivan,student')
    expect(latin.lines[0]?.mistakes?.[0]).to.deep.include({
      code: 'namesake',
      meets: { id: 'petrov-ivan', name: 'Petrov Ivan' },
    })
  })
})
