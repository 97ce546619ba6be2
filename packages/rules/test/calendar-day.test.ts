import { expect } from 'chai'
import fc from 'fast-check'
import { calendarDayAt, createCalendarClock } from '../src/calendar-day.ts'

const hour = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

describe('the calendar day of a zone', () => {
  const days: [zone: string, now: string, from: string, hours: number][] = [
    ['Pacific/Kiritimati', '2026-03-10T12:00:00Z', '2026-03-10T10:00:00.000Z', 24],
    ['Pacific/Honolulu', '2026-03-10T09:59:59Z', '2026-03-09T10:00:00.000Z', 24],
    ['Pacific/Honolulu', '2026-03-10T10:00:00Z', '2026-03-10T10:00:00.000Z', 24],
    ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', 25],
    ['Asia/Kolkata', '2026-03-10T12:00:00Z', '2026-03-09T18:30:00.000Z', 24],
    // midnight comes twice, and is not there at all
    ['America/Havana', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00.000Z', 25],
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00.000Z', 23],
  ]
  for (const [zone, now, from, hours] of days) {
    it(`${zone} at ${now}: ${hours} hours from ${from}`, () => {
      const day = calendarDayAt(Date.parse(now), zone)
      expect([iso(day.fromMs), (day.toMs - day.fromMs) / hour]).to.deep.equal([from, hours])
    })
  }

  it('has the date it is now from its first to its last second, whenever and wherever', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const from = Date.parse('2024-01-01T00:00:00Z')
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 3 * 366 * 86_400 }), (zone, second) => {
        const now = from + second * 1000
        const { fromMs, toMs } = calendarDayAt(now, zone)
        const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
        const dates = [fromMs - 1000, fromMs, now, toMs - 1000, toMs].map((ms) => format.format(ms))
        expect(new Set(dates.slice(1, 4)).size, `${zone} ${iso(now)}`).to.equal(1)
        expect(new Set(dates).size, `${zone} ${iso(now)}`).to.equal(3)
      }),
      { numRuns: 300 },
    )
  })

  it('is computed again when it is over', () => {
    const clock = createCalendarClock()
    const midnight = Date.parse('2026-03-10T00:00:00Z')
    const before = clock.dayAt(midnight - 1, 'UTC')
    expect(clock.dayAt(midnight - 2, 'UTC')).to.equal(before)
    expect(clock.dayAt(midnight, 'UTC').fromMs).to.equal(before.toMs)
  })
})
