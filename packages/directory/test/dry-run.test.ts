/** What a roster would change is looked at first; exactly that is loaded, or nothing. */
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory, ImportOptions } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'

const header = 'id,name,role,telegram,groups'

describe('a dry run of a roster', () => {
  let fresh: FreshRedis
  let directory: Directory
  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  const load = (lines: readonly string[], options?: ImportOptions) =>
    directory.importCsv(bytes([header, ...lines].join('\n')), options)
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error) => error.code,
    )
  const ids = async () => (await directory.listPeople('', 1000)).map(({ id }) => id)

  it('says what the import then does, over many chunks, and writes nothing', async () => {
    await load(['p1,One,student,101,g'])
    const others = Array.from({ length: 500 }, (_, index) => `x${index},Name,student,,g`)
    const lines = [
      'p1,One,student,102,g',
      ...others,
      'p2,Two,student,101,Новая', // given up on the first line
      'p3,Three,student,102,g', // taken by the first line
      'p4,,king,12x,a/b/c',
    ]
    const before = await fresh.redis.dbsize()
    const dry = await load(lines, { dryRun: true, allLines: true })
    expect(await fresh.redis.dbsize()).to.equal(before)
    expect(await ids()).to.deep.equal(['p1'])
    expect(dry).to.include({ created: 501, updated: 1, rejected: 2 })
    const { version, ...rest } = dry
    const { id, ...done } = await load(lines, { allLines: true, version })
    expect(done).to.deep.equal(rest)
    expect((await directory.listImports())[0]).to.include({ id, created: 501, updated: 1, left: 502 })
    expect(await load(lines)).to.include({ created: 0, updated: 0, unchanged: 502, rejected: 2 })
  })

  it('tells all that is wrong with a line, each with its cell', async () => {
    const { lines, columns } = await load(['p4,,king,12x,a/b/c', 'p5,Five'], { dryRun: true })
    expect(columns).to.deep.equal(header.split(','))
    expect(lines[0]?.cells).to.deep.equal(['p4', '', 'king', '12x', 'a/b/c'])
    const mistakes = lines[0]?.mistakes?.map(({ column, field, code }) => [column, field, code])
    expect(mistakes).to.deep.equal([
      [2, 'name', 'bad-field'],
      [3, 'role', 'bad-field'],
      [4, 'telegram', 'bad-address'],
      [5, 'groups', 'bad-field'],
    ])
    expect(lines[1]?.mistakes?.map(({ column, code }) => [column, code])).to.deep.equal([[undefined, 'bad-line']])
  })

  it('is refused once somebody has changed what it would change, and not for anything else', async () => {
    await load(['p1,One,student,,'])
    const lines = ['p1,Uno,student,,g', 'p2,Two,student,,g']
    const { version } = await load(lines, { dryRun: true })
    await directory.putPerson({ id: 'other', name: 'O', role: 'student', timeZone: 'UTC', language: 'ru' })
    await directory.putPerson({ id: 'p1', name: 'Eins', role: 'student', timeZone: 'UTC', language: 'en' })
    expect(await refusal(load(lines, { version }))).to.equal('stale-roster')
    expect(await ids()).to.deep.equal(['other', 'p1'])
    const again = await load(lines, { dryRun: true })
    await directory.putPerson({ id: 'third', name: 'T', role: 'student', timeZone: 'UTC', language: 'ru' })
    expect(await load(lines, { version: again.version })).to.include({ created: 1, updated: 1 })
    expect(await refusal(load(['p9,Nine,student,,'], { version: again.version }))).to.equal('stale-roster')
  })

  describe('with leavers', () => {
    beforeEach(() =>
      load(['p1,One,student,,', 'p2,Two,student,,', 'p3,Three,student,,', 't1,Teacher,trainer,,', 'a1,Admin,admin,,']),
    )

    it('names who is not in the list, of its roles, and removes them when exactly that is loaded', async () => {
      const lines = ['p1,One,student,,', 'p2,Two,king,,']
      const dry = await load(lines, { dryRun: true, leavers: true })
      expect(dry.leavers, 'who is on a line that is wrong is in the list').to.deep.equal([{ id: 'p3', name: 'Three' }])
      expect(await ids()).to.include('p3')
      expect(await refusal(load(lines, { leavers: true })), 'without looking').to.equal('version-needed')
      const done = await load(lines, { leavers: true, version: dry.version })
      expect(done).to.include({ removed: 1 })
      expect(await ids()).to.deep.equal(['a1', 'p1', 'p2', 't1'])
    })

    it('is refused when somebody else would go than was shown', async () => {
      const lines = ['p1,One,student,,', 'p2,Two,student,,']
      const { version } = await load(lines, { dryRun: true, leavers: true })
      await directory.putPerson({ id: 'p4', name: 'Four', role: 'student', timeZone: 'UTC', language: 'ru' })
      expect(await refusal(load(lines, { leavers: true, version }))).to.equal('stale-roster')
      expect(await ids()).to.include.members(['p3', 'p4'])
    })

    it('removes more than half only when their number is named, and never who imports', async () => {
      const lines = ['p1,One,student,,', 'a2,Another,admin,,']
      const dry = await load(lines, { dryRun: true, leavers: true, by: 'a1' })
      expect(dry.leavers.map(({ id }) => id)).to.deep.equal(['p2', 'p3'])
      const asked = { leavers: true, by: 'a1', version: dry.version }
      expect(await refusal(load(['p1,One,student,,'], { leavers: true, by: 'a1', version: 'x' }))).to.equal(
        'too-many-leavers',
      )
      expect(await load(lines, { ...asked, leaversConfirmed: 2 })).to.include({ removed: 2 })
      expect(await ids()).to.deep.equal(['a1', 'a2', 'p1', 't1'])
    })

    it('removes nobody while it is not known whom a line is about', async () => {
      const lines = ['p1,One,student,,', '№,Two,student,,', 'p3,Three,student,,']
      const { version } = await load(lines, { dryRun: true, leavers: true })
      expect(await refusal(load(lines, { leavers: true, version }))).to.equal('unclear-leavers')
      expect(await ids()).to.include('p2')
    })
  })
})
