import { type Exam, exams, fleetSettings } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { createExamClock, examsFor } from '../src/exams.ts'

const exam = (from: string, to: string, group = 'g'): Exam => ({ group, from, to })
const at = (list: readonly Exam[], now: string, zone = 'Europe/Moscow', groups = ['g']) => {
  const { isQuiet, untilMs } = createExamClock(list).at(Date.parse(now), groups, zone)
  const until = Number.isFinite(untilMs) ? new Date(untilMs).toISOString().slice(0, 16) : 'for ever'
  return `${isQuiet ? 'exam' : 'free'} until ${until}`
}

describe('rules: exams', () => {
  const morning = exam('2030-01-12T09:00', '2030-01-12T13:00')
  const table: [what: string, list: Exam[], now: string, zone: string, answer: string][] = [
    ['before it', [morning], '2030-01-12T05:59:59Z', 'Europe/Moscow', 'free until 2030-01-12T06:00'],
    ['from its first moment on', [morning], '2030-01-12T06:00:00Z', 'Europe/Moscow', 'exam until 2030-01-12T10:00'],
    ['not in its last', [morning], '2030-01-12T10:00:00Z', 'Europe/Moscow', 'free until for ever'],
    ['on their own clock', [morning], '2030-01-12T06:00:00Z', 'Asia/Vladivostok', 'free until for ever'],
    ['… far to the east', [morning], '2030-01-11T23:30:00Z', 'Asia/Vladivostok', 'exam until 2030-01-12T03:00'],
    [
      'of days, to the end of the last',
      [exam('2030-01-12', '2030-01-13')],
      '2030-01-13T20:00:00Z',
      'Europe/Moscow',
      'exam until 2030-01-13T21:00',
    ],
    [
      'that go on one with the other',
      [exam('2030-01-12T12:00', '2030-01-12T15:00'), morning],
      '2030-01-12T07:00:00Z',
      'Europe/Moscow',
      'exam until 2030-01-12T12:00',
    ],
    [
      'on a day of 23 hours',
      [exam('2030-03-31', '2030-03-31')],
      '2030-03-31T12:00:00Z',
      'Europe/Berlin',
      'exam until 2030-03-31T22:00',
    ],
    [
      'of another group',
      [exam('2030-01-12', '2030-01-12', 'h')],
      '2030-01-12T07:00:00Z',
      'Europe/Moscow',
      'free until for ever',
    ],
  ]
  for (const [what, list, now, zone, answer] of table) it(what, () => expect(at(list, now, zone)).to.equal(answer))

  it('hold nobody of what is urgent, of the fleet itself, or goes out in quiet hours', () => {
    const type = { id: 'alarms', number: 9, name: { ru: 'т', en: 't' }, level: 5, quiet: 'ignore', optOut: 'allowed' }
    const settings = fleetSettings.parse({ exams: [morning], types: [{ ...type, caps: [], senders: [] }] })
    const now = Date.parse('2030-01-12T07:00:00Z')
    const held = (message: Parameters<typeof examsFor>[0]) => examsFor(message, settings, now, now).length
    expect(held({ class: 'normal' })).to.equal(1)
    expect(held({ class: 'bulk', type: 'alarms', quiet: 'respect' })).to.equal(1)
    expect(held({ class: 'urgent' })).to.equal(0)
    expect(held({ class: 'normal', type: 'alarms' })).to.equal(0)
    expect(held({ class: 'normal', quiet: 'ignore' })).to.equal(0)
    expect(examsFor({ class: 'normal' }, settings, now + 3 * 86_400_000, now + 4 * 86_400_000)).to.deep.equal([])
  })

  it('are refused where they end before they begin, or are on no calendar', () => {
    const wrong = (from: string, to: string) =>
      exams
        .safeParse([exam(from, to)])
        .error?.issues.map(({ path }) => path.join('.'))
        .join()
    expect(wrong('2030-01-12', '2030-01-12')).to.equal(undefined)
    expect(wrong('2030-01-13', '2030-01-12')).to.equal('0.to')
    expect(wrong('2030-01-12T09:00', '2030-01-12T09:00')).to.equal('0.to')
    expect(wrong('2030-02-30', '2030-03-01')).to.equal('0.from')
    expect(wrong('2030-01-12T25:00', '2030-01-13')).to.equal('0.from')
    expect(wrong('2030-01-12T09:00Z', '2030-01-13')).to.equal('0.from')
  })
})
