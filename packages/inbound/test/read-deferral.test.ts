import { expect } from 'chai'
import fc from 'fast-check'
import type { Candidate } from '../src/find-audience.ts'
import { readCommand } from '../src/read-command.ts'
import { type Meant, readDeferral } from '../src/read-deferral.ts'

/** Friday, 12:00 in Moscow */
const here = { now: Date.parse('2026-11-20T09:00:00Z'), timeZone: 'Europe/Moscow' }
const named = (id: string, name: string): Candidate => ({ kind: 'group', id, name })
const candidates = [
  named('ivt-101', 'ИВТ-101'),
  named('5', 'Группа 5'),
  named('wednesday', 'Кружок завтра'),
  { kind: 'cohort', id: '3', name: 'Поток 3' } as const,
]

function read(text: string): Meant | string {
  const command = readCommand(text)
  return command.kind === 'message' ? readDeferral(command, candidates, here) : command.kind
}
const found = (...to: string[]) => ({ kind: 'found', to })
const at = (moscow: string) => ({ at: Date.parse(`${moscow}+03:00`) })

describe('a moment behind the names', () => {
  for (const [text, to, moment, says] of [
    ['ИВТ-101 завтра 8:00: Пары не будет', ['group:ivt-101'], '2026-11-21T08:00', 'Пары не будет'],
    ['ивт101, поток 3 завтра в 8:30 : Да: нет', ['group:ivt-101', 'cohort:3'], '2026-11-21T08:30', 'Да: нет'],
    ['ИВТ-101 завтра в 8: Пары в 9:30', ['group:ivt-101'], '2026-11-21T08:00', 'Пары в 9:30'],
    ['ИВТ-101 25.12 10:00: Зачёт', ['group:ivt-101'], '2026-12-25T10:00', 'Зачёт'],
    ['ИВТ-101 25 декабря 10:00: Зачёт', ['group:ivt-101'], '2026-12-25T10:00', 'Зачёт'],
    ['ИВТ-101 18:00: Сбор', ['group:ivt-101'], '2026-11-20T18:00', 'Сбор'],
    ['IVT-101 tomorrow at 8:00: No class', ['group:ivt-101'], '2026-11-21T08:00', 'No class'],
    ['Группа 5 завтра 9:00: Да', ['group:5'], '2026-11-21T09:00', 'Да'],
    ['Кружок завтра завтра 9:00: Да', ['group:wednesday'], '2026-11-21T09:00', 'Да'],
    ['group:ivt-101 завтра 9:00: Да', ['group:ivt-101'], '2026-11-21T09:00', 'Да'],
  ] as const)
    it(JSON.stringify(text), () =>
      expect(read(text)).to.deep.equal({ kind: 'later', found: found(...to), text: says, when: at(moment) }),
    )

  for (const [text, to, says] of [
    ['ИВТ-101: завтра 8:00: сбор', 'group:ivt-101', 'завтра 8:00: сбор'],
    ['ИВТ-101: Пары в 9:30: не опоздайте', 'group:ivt-101', 'Пары в 9:30: не опоздайте'],
    // whatever is called so comes first
    ['Группа 5:30: перерыв', 'group:5', '30: перерыв'],
    ['Группа 5:30 человек пришли', 'group:5', '30 человек пришли'],
    ['Кружок завтра: приходите', 'group:wednesday', 'приходите'],
  ] as const)
    it(`${JSON.stringify(text)} is for now`, () =>
      expect(read(text)).to.deep.equal({ kind: 'now', found: found(to), text: says }))

  it('is asked back where it is not clear, and where nothing is said behind it', () => {
    const asked = (text: string) => {
      const meant = read(text)
      return typeof meant !== 'string' && meant.kind === 'later' && 'ask' in meant.when ? meant.when.ask : meant
    }
    expect(asked('ИВТ-101 завтра: Пар нет')).to.equal('no-time')
    expect(asked('ИВТ-101 вчера 8:00: Пар нет')).to.equal('past')
    expect(asked('ИВТ-101 8:00: Пар нет')).to.equal('past')
    expect(asked('ИВТ-101 пт 14:00: Пар нет')).to.equal('which')
    for (const text of ['ИВТ-101 завтра 8:00 пар нет', 'ИВТ-101 завтра 8:00', 'ИВТ-101 завтра 8:00:'])
      expect(read(text), text).to.deep.equal({ kind: 'no-text' })
  })

  it('goes to nobody whom the names before it do not mean', () => {
    for (const text of ['ИВТ-110 завтра 8:00: Пар нет', 'ИВТ-101 потом: Пар нет', 'завтра 8:00: Пар нет']) {
      const meant = read(text)
      expect(typeof meant !== 'string' && meant.kind !== 'no-text' && meant.found.kind, text).to.equal('unknown')
    }
  })

  it('never turns a message to a name that is known into one for later', () => {
    fc.assert(
      fc.property(fc.constantFrom('ИВТ-101', 'Группа 5', 'поток 3'), fc.string({ unit: 'grapheme' }), (name, text) => {
        const meant = read(`${name}: x${text}`)
        expect(meant).to.deep.equal({
          kind: 'now',
          found: meant !== undefined && (meant as { found: object }).found,
          text: `x${text}`.trim(),
        })
        expect((meant as { found: { kind: string } }).found.kind).to.equal('found')
      }),
    )
  })
})
