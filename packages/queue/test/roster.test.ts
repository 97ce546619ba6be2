/** A whole university's list, as an office has it: looked at, mended nowhere, loaded; and whoever left goes. */
import { importReport, peoplePage } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

const size = 3000
const header = 'id,name,role,groups,phone'
const lineOf = (index: number) =>
  `ст-${index},Студент № ${index},student,${1 + (index % 4)} курс/ИВТ-${100 + (index % 50)},`
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** every 75th line is wrong in one of four ways */
function mistaken(index: number): string {
  const kind = (index / 75) % 4
  if (kind === 0) return lineOf(index).replace('student', 'студент')
  if (kind === 1) return `${lineOf(index)}12`
  if (kind === 2) return `${lineOf(index)},лишнее`
  return `ст-${index},,student,а/б/в,`
}

describe('a list of 3000 people with 40 mistakes and 12 who left', () => {
  let service: Service
  let url: URL
  before(async () => {
    service = await startService()
    url = new URL(await service.listen())
  })
  after(() => service.stop())

  async function load(lines: readonly string[], query: string, version?: string) {
    const answer = await fetch(new URL(`/v1/imports${query}`, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.keyOf.admin}`,
        'content-type': 'text/csv',
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
      },
      body: [header, ...lines].join('\n'),
    })
    expect(answer.status).to.equal(200)
    return importReport.parse(await answer.json())
  }
  const sizeOf = async (group: string) => (await service.call(`/v1/groups/${group}`, { as: 'admin' })).json.size

  it('tells all of it before anything is saved, and does exactly that', async () => {
    const { people } = peoplePage.parse((await service.call('/v1/people?limit=1000', { as: 'admin' })).json)
    const students = people.filter(({ role }) => role === 'student')
    const known = students.map(({ id, name }) => `${id},"${name.replaceAll('"', '""')}",student,,`)
    const left = numbers(size, size + 12)
    const stayed = numbers(1, 51)
    expect(await load([...stayed, ...left].map(lineOf), '')).to.include({ created: 62, rejected: 0 })
    const own = numbers(0, size).map((index) => (index % 75 === 0 ? mistaken(index) : lineOf(index)))
    const list = [...own, ...known]
    const dry = await load(list, '?dryRun=true&leavers=remove')
    expect(dry).to.include({ created: 2910, updated: 0, unchanged: known.length + 50, rejected: 40, removed: 12 })
    expect(dry.leavers.map(({ name }) => name)).to.have.members(left.map((index) => `Студент № ${index}`))
    const mistakes = dry.lines.map(({ mistakes = [] }) => mistakes.map(({ column = 0, code }) => `${column} ${code}`))
    expect(new Set(mistakes.map((each) => each.join(', ')))).to.deep.equal(
      new Set(['3 bad-field', '5 bad-address', '0 bad-line', '2 bad-field, 4 bad-field']),
    )
    expect((await service.call('/v1/people/st-51', { as: 'admin' })).status, 'nothing is saved').to.equal(404)

    const done = await load(list, '?leavers=remove', dry.version)
    expect(done).to.include({ created: 2910, rejected: 40, removed: 12 })
    expect((await service.call('/v1/people/st-51', { as: 'admin' })).json).to.include({ name: 'Студент № 51' })
    expect((await service.call('/v1/people/st-3000', { as: 'admin' })).status).to.equal(404)
    expect((await service.call('/v1/groups/ivt-101', { as: 'admin' })).json).to.include({ name: 'ИВТ-101' })
    expect(await sizeOf('ivt-101')).to.equal(60)
  })
})
