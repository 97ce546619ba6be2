/** What texts may say of a person, as it is put and imported. */
import { bucketOf, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, PersonInFull } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'

const anna = { id: 'anna', name: 'Анна', role: 'student', timeZone: 'Europe/Moscow', language: 'ru' } as const

describe('fields of people', () => {
  let fresh: FreshRedis
  let directory: Directory
  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  const fieldsOf = async (id: string) => (await directory.findInFull([id]))[0]?.fields
  const recordOf = (id: string) => fresh.redis.hget(keys.people(bucketOf(id)), id)
  const importLines = (...lines: string[]) => directory.importCsv(bytes(lines.join('\n')))
  const put = (fields: PersonInFull['fields']) => directory.putPerson({ ...anna, fields })
  const refusal = (fields: PersonInFull['fields']) =>
    put(fields).then(
      () => 'accepted',
      (error: Error) => error.message,
    )

  it('are put as a whole, in any order the same, and cost nobody a byte who has none', async () => {
    expect(await put({ room: '204', место: '7' })).to.equal('created')
    expect(await put({ место: '7', room: '204' })).to.equal('unchanged')
    expect(await fieldsOf('anna')).to.deep.equal({ место: '7', room: '204' })
    expect((await directory.getPerson('anna'))?.fields).to.deep.equal({ место: '7', room: '204' })
    expect(await directory.findPeople(['anna'])).to.deep.equal([anna])
    expect(await directory.listPeople('', 9), 'lists are for others, too').to.deep.equal([anna])
    expect(await put({})).to.equal('updated')
    expect(await recordOf('anna')).to.equal('["Анна","student","Europe/Moscow","ru"]')
    expect(await put(undefined)).to.equal('unchanged')
    await put({ room: '204' })
    await directory.deletePerson('anna')
    expect(await recordOf('anna'), 'who is removed takes them along').to.equal(null)
  })

  it('are at most twenty, of two hundred characters, and none is what everybody has', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 'x']))
    expect(await refusal(many)).to.equal('are more than 20')
    expect(await refusal({ name: 'x' })).to.contain('"name" is known of everybody')
    expect(await refusal({ 'a}}': 'x' })).to.contain('is not the name of a field')
    expect(await refusal({ room: 'x'.repeat(201) })).to.contain('longer than 200')
    expect(await refusal({ room: 'a\nb' })).to.contain('control characters')
    expect(await refusal({ constructor: '1', 'имя-1_x': '{{id}} <b> =1+1' })).to.equal('accepted')
  })

  it('are columns of a list; an empty cell and a missing column leave what is there', async () => {
    const header = 'id,name,role,timezone,language,field:room,Field: seat'
    const line = 'anna,Анна,student,Europe/Moscow,ru'
    expect(await importLines(header, `${line},204,7`)).to.include({ created: 1, rejected: 0 })
    expect(await fieldsOf('anna')).to.deep.equal({ room: '204', seat: '7' })
    expect(await importLines(header, `${line},204,`)).to.include({ unchanged: 1 })
    expect(await importLines(header, `${line},205,`)).to.include({ updated: 1 })
    expect(await importLines('id,name,role', 'anna,Анна,student')).to.include({ unchanged: 1 })
    expect(await fieldsOf('anna')).to.deep.equal({ room: '205', seat: '7' })
  })

  it('are looked at first: a dry run writes nothing, and a mistake stands in its cell', async () => {
    const long = 'x'.repeat(201)
    const text = ['id,name,role,field:room', `anna,Анна,student,${long}`, 'boris,Борис,student,204'].join('\n')
    const report = await directory.importCsv(bytes(text), { dryRun: true })
    expect(report).to.include({ created: 1, rejected: 1 })
    expect(report.lines[0]?.mistakes).to.deep.equal([
      { column: 4, field: 'field:room', code: 'bad-field', message: 'is longer than 200 characters' },
    ])
    expect(await directory.findInFull(['boris'])).to.deep.equal([undefined])
    for (const column of ['field:', 'field:name', 'field:a b']) {
      const failed = await importLines(`id,name,role,${column}`, 'a,b,student,c').catch((error: Error) => error.message)
      expect(failed, column).to.contain(`the column field:`)
    }
    const twice = await importLines('id,name,role,field:room,FIELD:room', 'a,b,student,c,d').catch(
      (e: Error) => e.message,
    )
    expect(twice).to.equal('the header names the column field:room twice')
  })

  it('are too many for one person only where what is there already is one of them', async () => {
    await put(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, 'x'])))
    const report = await importLines('id,name,role,field:room', 'anna,Анна,student,204')
    expect([report.rejected, report.lines[0]?.mistakes?.[0]?.message]).to.deep.equal([1, 'are more than 20'])
  })
})
