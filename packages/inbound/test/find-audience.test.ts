import { expect } from 'chai'
import fc from 'fast-check'
import { type Candidate, findAudience, tokenOf } from '../src/find-audience.ts'
import { isSame, spellingOf } from '../src/spelling.ts'

const group = (id: string, name = id): Candidate => ({ kind: 'group', id, name })
const cohort = (id: string, name = id): Candidate => ({ kind: 'cohort', id, name })
const topic = (id: string, name: string, alias: string): Candidate => ({ kind: 'topic', id, name, alias })
const candidates = [
  group('ivt-101'),
  group('ivt-102'),
  group('pmi-101', 'ПМИ-101'),
  group('g-7', 'Хор «Ёлка»'),
  group('art-1', 'Рисунок'),
  group('art-2', 'рисунок'),
  group('three', '3'),
  cohort('year-3', 'Поток 3'),
  cohort('faculty-it'),
  cohort('math', 'МАТ-1'),
  topic('t-1', 'Билеты', 'Free tickets'),
]
const find = (...names: string[]) => findAudience(names, candidates)
const found = (...to: string[]) => ({ kind: 'found', to })

describe('the groups and cohorts somebody means', () => {
  for (const [typed, token] of [
    ['ivt-101', 'group:ivt-101'],
    ['ИВТ-101', 'group:ivt-101'],
    ['ивт 101', 'group:ivt-101'],
    ['ИBT101', 'group:ivt-101'],
    ['группа ИВТ-101', 'group:ivt-101'],
    ['гр. ИВТ-101', 'group:ivt-101'],
    ['GROUP IVT 101', 'group:ivt-101'],
    ['group:ivt-101', 'group:ivt-101'],
    ['Group: IVT-101', 'group:ivt-101'],
    ['пми–101', 'group:pmi-101'],
    ['PMI-101', 'group:pmi-101'],
    ['хор елка', 'group:g-7'],
    ['MAT-1', 'cohort:math'],
    ['МAТ 1', 'cohort:math'],
    ['поток faculty it', 'cohort:faculty-it'],
    ['группа 3', 'group:three'],
    ['поток 3', 'cohort:year-3'],
    ['cohort:year-3', 'cohort:year-3'],
    ['билеты', 'topic:t-1'],
    ['FREE tickets', 'topic:t-1'],
    ['тема Билеты', 'topic:t-1'],
    ['topic: t-1', 'topic:t-1'],
  ] as const) {
    it(`${typed} is ${token}`, () => expect(find(typed)).to.deep.equal(found(token)))
  }

  it('are each named once', () => {
    expect(find('ИВТ-101', 'ivt101', 'ПМИ 101')).to.deep.equal(found('group:ivt-101', 'group:pmi-101'))
  })

  it('are asked for when there are several', () => {
    expect(find('ivt-101', 'РИСУНОК')).to.deep.include({ kind: 'ambiguous', name: 'РИСУНОК' })
    const both = [group('lab', 'Поток'), cohort('lab')]
    expect(findAudience(['LAB'], both)).to.deep.equal({ kind: 'ambiguous', name: 'LAB', candidates: both })
    expect(findAudience(['группа lab'], both)).to.deep.equal(found('group:lab'))
    const look = [group('a', 'МТС'), group('b', 'MTC')]
    expect(findAudience(['MTC'], look).kind).to.equal('ambiguous')
    expect(findAudience(['group:b'], look)).to.deep.equal(found('group:b'))
  })

  it('are asked for when a word may be part of the name or say what it is', () => {
    const either = [cohort('s1', 'поток 5'), cohort('s2', '5')]
    expect(findAudience(['Поток 5'], either).kind).to.equal('ambiguous')
  })

  it('are not taken for others that are near', () => {
    const unknown = find('ИВТ-10')
    expect(unknown.kind).to.equal('unknown')
    expect(unknown.kind === 'unknown' && unknown.nearest.map(({ id }) => id).slice(0, 2)).to.deep.equal([
      'ivt-101',
      'ivt-102',
    ])
    expect(find('Пары в 9')).to.deep.include({ kind: 'unknown', nearest: [] })
    const long = [group('rehearsals', 'Репетиции хора')]
    expect(findAudience(['хор'], long)).to.deep.equal({ kind: 'unknown', name: 'хор', nearest: long })
    expect(find('—')).to.deep.include({ kind: 'unknown' })
    expect(find('группа')).to.deep.include({ kind: 'unknown' })
    expect(findAudience(['group:IVT'], candidates).kind).to.equal('unknown')
  })

  it('are exactly those that are spelled so, whatever is typed', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'АBВCСTТ1 -ёе'), maxLength: 4 })
    const some = fc.array(
      fc.record({ kind: fc.constantFrom('group' as const, 'cohort' as const), id: letters, name: letters }),
    )
    fc.assert(
      fc.property(letters, some, (typed, all) => {
        const distinct = [...new Map(all.map((each) => [tokenOf(each), each])).values()]
        const meant = distinct.filter(({ id, name }) =>
          [id, name].some((each) => isSame(spellingOf(each), spellingOf(typed))),
        )
        const result = findAudience([typed], distinct)
        expect(result.kind).to.equal(meant.length === 1 ? 'found' : meant.length === 0 ? 'unknown' : 'ambiguous')
        if (result.kind === 'found') expect(result.to).to.deep.equal(meant.map(tokenOf))
      }),
      { numRuns: 2000 },
    )
  })

  it('never fail to be looked for', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 })), (names) => void find(...names)))
  })
})
