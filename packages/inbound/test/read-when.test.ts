import { expect } from 'chai'
import { readWhen } from '../src/when/read-when.ts'
import { momentsOf, offsetMinutes } from '../src/when/zone.ts'

/** Friday, 12:00 in Moscow, 10:00 in Berlin, 04:00 in New York */
const now = Date.parse('2026-11-20T09:00:00Z')

const cases: readonly [text: string, meant: string][] = [
  ['завтра 8:30', '2026-11-21T08:30'],
  ['Завтра в 8:30', '2026-11-21T08:30'],
  ['на завтра на 8:30', '2026-11-21T08:30'],
  ['завтра 8.30', '2026-11-21T08:30'],
  ['завтра 9', '2026-11-21T09:00'],
  ['завтра в 8 вечера', '2026-11-21T20:00'],
  ['завтра в полдень', '2026-11-21T12:00'],
  ['послезавтра 9', '2026-11-22T09:00'],
  ['сегодня 18:00', '2026-11-20T18:00'],
  ['18:00', '2026-11-20T18:00'],
  ['в 18:00 завтра', '2026-11-21T18:00'],
  ['вт 9.30', '2026-11-24T09:30'],
  ['пн 8:30', '2026-11-23T08:30'],
  ['в понедельник в 8', '2026-11-23T08:00'],
  ['понедельник 8', '2026-11-23T08:00'],
  ['через 2 часа', '2026-11-20T14:00'],
  ['через 2ч', '2026-11-20T14:00'],
  ['через 2ч 30м', '2026-11-20T14:30'],
  ['через полчаса', '2026-11-20T12:30'],
  ['через 15 мин', '2026-11-20T12:15'],
  ['через 3 дня в 9:00', '2026-11-23T09:00'],
  ['25 декабря 10:00', '2026-12-25T10:00'],
  ['25.12 10:00', '2026-12-25T10:00'],
  ['25.12.2026 10:00', '2026-12-25T10:00'],
  ['01.02 10:00', '2027-02-01T10:00'],
  ['5 января в 9 утра', '2027-01-05T09:00'],
  ['в следующую пятницу в 14:00', '2026-11-27T14:00'],
  ['пт 11:00', '2026-11-27T11:00'],
  ['in 2h', '2026-11-20T14:00'],
  ['in 90 min', '2026-11-20T13:30'],
  ['tomorrow 8:30', '2026-11-21T08:30'],
  ['tomorrow at 8', '2026-11-21T08:00'],
  ['tomorrow 8', '2026-11-21T08:00'],
  ['tonight 9pm', '2026-11-20T21:00'],
  ['noon tomorrow', '2026-11-21T12:00'],
  ['next friday 2pm', '2026-11-27T14:00'],
  ['monday 8:30', '2026-11-23T08:30'],
  ['in 3 days at 9am', '2026-11-23T09:00'],
  ['2026-12-01 09:00', '2026-12-01T09:00'],
  ['2026-12-01T09:00:00+05:00', '2026-12-01T07:00'],
  ['tomorrow 8:30 UTC+5', '2026-11-21T06:30'],
]

const askedBack: readonly [text: string, ask: string][] = [
  ['когда-нибудь', 'unclear'],
  ['', 'unclear'],
  ['25:00', 'unclear'],
  ['завтра 8:30 и послезавтра 9:00', 'unclear'],
  ['с 9:00 до 10:00 завтра', 'unclear'],
  ['завтра 8:30 если не будет дождя', 'unclear'],
  ['x'.repeat(500), 'unclear'],
  ['завтра', 'no-time'],
  ['завтра утром', 'no-time'],
  ['через неделю', 'no-time'],
  ['next week', 'no-time'],
  ['пн', 'no-time'],
  ['8:30', 'past'],
  ['вчера 10:00', 'past'],
  ['сегодня 8:00', 'past'],
  ['2020-01-01 10:00', 'past'],
  ['2099-01-01 10:00', 'too-far'],
  ['01/02 10:00', 'which'],
  ['пт 14:00', 'which'],
  ['fri 14:00', 'which'],
]

describe('when people want it sent', () => {
  for (const [text, meant] of cases)
    it(`"${text}"`, () => {
      const when = readWhen(text, { now, timeZone: 'Europe/Moscow' })
      expect('at' in when && new Date(when.at).toISOString(), JSON.stringify(when)).to.equal(
        new Date(`${meant}:00+03:00`).toISOString(),
      )
    })

  for (const [text, ask] of askedBack)
    it(`"${text.slice(0, 40)}" is asked back: ${ask}`, () => {
      const when = readWhen(text, { now, timeZone: 'Europe/Moscow' })
      expect('ask' in when && when.ask, JSON.stringify(when)).to.equal(ask)
    })

  it('tells what has passed already', () => {
    const when = readWhen('вчера 10:00', { now, timeZone: 'Europe/Moscow' })
    expect(when).to.deep.equal({ ask: 'past', meant: Date.parse('2026-11-19T07:00:00Z') })
  })

  it('tells both moments it could be', () => {
    const when = readWhen('пт 14:00', { now, timeZone: 'Europe/Moscow' })
    expect(when).to.deep.equal({
      ask: 'which',
      either: Date.parse('2026-11-20T11:00:00Z'),
      or: Date.parse('2026-11-27T11:00:00Z'),
    })
  })

  describe('where clocks are put forward and back (Berlin)', () => {
    const timeZone = 'Europe/Berlin'
    const at = (text: string, from: string) => readWhen(text, { now: Date.parse(from), timeZone })

    it('the same words before and after the change mean the same time on the wall', () => {
      expect(at('завтра 8:30', '2026-03-27T12:00:00Z')).to.deep.equal({ at: Date.parse('2026-03-28T07:30:00Z') })
      expect(at('завтра 8:30', '2026-03-28T12:00:00Z')).to.deep.equal({ at: Date.parse('2026-03-29T06:30:00Z') })
      expect(at('tomorrow 8:30', '2026-10-24T12:00:00Z')).to.deep.equal({ at: Date.parse('2026-10-25T07:30:00Z') })
    })
    it('so many hours from now are so many hours', () => {
      expect(at('in 24 hours', '2026-03-28T12:00:00Z')).to.deep.equal({ at: Date.parse('2026-03-29T12:00:00Z') })
      expect(at('через 3 часа', '2026-03-29T00:00:00Z')).to.deep.equal({ at: Date.parse('2026-03-29T03:00:00Z') })
    })
    it('a time that is skipped, or comes twice, is asked back', () => {
      expect(at('завтра 2:30', '2026-03-28T12:00:00Z')).to.deep.equal({ ask: 'no-such-time' })
      expect(at('завтра 2:30', '2026-10-24T12:00:00Z')).to.deep.equal({
        ask: 'which',
        either: Date.parse('2026-10-25T00:30:00Z'),
        or: Date.parse('2026-10-25T01:30:00Z'),
      })
    })
    it('just before midnight tomorrow is the day of the zone', () => {
      expect(at('завтра 8:30', '2026-07-01T22:30:00Z')).to.deep.equal({ at: Date.parse('2026-07-03T06:30:00Z') })
    })
  })

  it('wall clocks: offsets, also of half an hour', () => {
    expect(offsetMinutes(now, 'Asia/Kolkata')).to.equal(330)
    expect(offsetMinutes(now, 'America/New_York')).to.equal(-300)
    expect(momentsOf({ year: 2026, month: 11, day: 20, hour: 14, minute: 30 }, 'Asia/Kolkata')).to.deep.equal([now])
  })
})
