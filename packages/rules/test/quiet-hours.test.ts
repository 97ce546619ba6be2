import { type Weekday, weekdays } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type QuietSpan, quietAt, quietUntil } from '../src/quiet-hours.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** What a clock on the wall shows, read off the words of Intl: nothing is added to anything. */
function clockIn(zone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (atMs: number) => {
    // Fri 22:05, or Fri, 22:05
    const [, day = '', clock = ''] = /^(\w+),? (\d\d:\d\d)$/.exec(format.format(atMs)) ?? []
    return { day: day.toLowerCase() as Weekday, clock }
  }
}

const dayBefore = (day: Weekday) => weekdays[(weekdays.indexOf(day) + 6) % 7] as Weekday

/** Written a second time, in other terms: clock times compared as texts. */
function isQuiet({ day, clock }: { day: Weekday; clock: string }, { from, to, days = weekdays }: QuietSpan): boolean {
  if (from === to) return false
  if (from < to) return clock >= from && clock < to && days.includes(day)
  return (clock >= from && days.includes(day)) || (clock < to && days.includes(dayBefore(day)))
}

/** Minute by minute. */
function walk(nowMs: number, span: QuietSpan, zone: string): number {
  const shown = clockIn(zone)
  let at = nowMs
  for (let minutes = 0; isQuiet(shown(at), span); minutes += 1) {
    if (minutes > 3 * 1440) throw new Error(`always quiet in ${zone}, ${span.from}–${span.to}`)
    at = Math.floor(at / minuteMs) * minuteMs + minuteMs
  }
  return at
}

const at = (text: string) => Date.parse(text)
const until = (now: string, zone: string, from: string, to: string, days?: Weekday[]) =>
  new Date(quietUntil(at(now), { from, to, days }, zone)).toISOString()

describe('rules: quiet hours on the wall clock', () => {
  it('last until the last millisecond before their end, and not a millisecond longer', () => {
    expect(until('2026-07-01T04:59:59.999Z', 'Europe/Moscow', '22:00', '08:00')).to.equal('2026-07-01T05:00:00.000Z')
    expect(until('2026-07-01T05:00:00.000Z', 'Europe/Moscow', '22:00', '08:00')).to.equal('2026-07-01T05:00:00.000Z')
    expect(until('2026-07-01T18:59:59.999Z', 'Europe/Moscow', '22:00', '08:00')).to.equal('2026-07-01T18:59:59.999Z')
    expect(until('2026-07-01T19:00:00.000Z', 'Europe/Moscow', '22:00', '08:00')).to.equal('2026-07-02T05:00:00.000Z')
  })

  it('within one day; and none where both ends are the same', () => {
    expect(until('2026-07-01T10:30:00Z', 'UTC', '10:00', '12:00')).to.equal('2026-07-01T12:00:00.000Z')
    expect(until('2026-07-01T12:30:00Z', 'UTC', '10:00', '12:00')).to.equal('2026-07-01T12:30:00.000Z')
    expect(quietAt(at('2026-07-01T10:30:00Z'), { from: '10:00', to: '10:00' }, 'UTC')).to.include({
      isQuiet: false,
      untilMs: Number.POSITIVE_INFINITY,
    })
  })

  it('that end at a time which does not exist that night end when the clocks are changed', () => {
    expect(until('2026-03-29T00:10:00Z', 'Europe/Berlin', '22:00', '02:30')).to.equal('2026-03-29T01:00:00.000Z')
    // half an hour: 02:00 becomes 02:30
    expect(until('2026-10-03T14:00:00Z', 'Australia/Lord_Howe', '22:00', '02:15')).to.equal('2026-10-03T15:30:00.000Z')
    // an hour less in that night, and the end is where the clock on the wall says so
    expect(until('2026-03-28T21:30:00Z', 'Europe/Berlin', '22:00', '08:00')).to.equal('2026-03-29T06:00:00.000Z')
  })

  it('end at the first of two equal times, and are again quiet until the second', () => {
    expect(until('2026-10-24T23:00:00Z', 'Europe/Berlin', '22:00', '02:30')).to.equal('2026-10-25T00:30:00.000Z')
    expect(until('2026-10-25T00:45:00Z', 'Europe/Berlin', '22:00', '02:30')).to.equal('2026-10-25T00:45:00.000Z')
    expect(until('2026-10-25T01:10:00Z', 'Europe/Berlin', '22:00', '02:30')).to.equal('2026-10-25T01:30:00.000Z')
  })

  it('follow a zone that has less than its own time for a month', () => {
    // Casablanca goes back in Ramadan: at 03:00 it is 02:00, on 2026-02-15; the first 02:30 opens
    expect(until('2026-02-15T00:15:00Z', 'Africa/Casablanca', '22:00', '02:30')).to.equal(
      new Date(walk(at('2026-02-15T00:15:00Z'), { from: '22:00', to: '02:30' }, 'Africa/Casablanca')).toISOString(),
    )
  })

  it('skip a day that a zone has not had', () => {
    // Samoa went from 29 to 31 December 2011
    expect(until('2011-12-30T09:30:00Z', 'Pacific/Apia', '22:00', '08:00')).to.equal('2011-12-30T18:00:00.000Z')
    expect(until('2011-12-30T09:30:00Z', 'Pacific/Apia', '22:00', '08:00')).to.equal(
      new Date(walk(at('2011-12-30T09:30:00Z'), { from: '22:00', to: '08:00' }, 'Pacific/Apia')).toISOString(),
    )
  })

  it('that begin on some days only last into the day after', () => {
    const weekend: Weekday[] = ['fri', 'sat']
    // 2026-07-03 is a Friday
    expect(until('2026-07-02T22:30:00Z', 'UTC', '22:00', '08:00', weekend)).to.equal('2026-07-02T22:30:00.000Z')
    expect(until('2026-07-03T22:30:00Z', 'UTC', '22:00', '08:00', weekend)).to.equal('2026-07-04T08:00:00.000Z')
    expect(until('2026-07-05T07:30:00Z', 'UTC', '22:00', '08:00', weekend)).to.equal('2026-07-05T08:00:00.000Z')
    expect(until('2026-07-06T07:30:00Z', 'UTC', '22:00', '08:00', weekend)).to.equal('2026-07-06T07:30:00.000Z')
  })

  it('say when they begin, too', () => {
    const night = { from: '22:00', to: '08:00' }
    expect(quietAt(at('2026-07-01T12:00:00Z'), night, 'UTC')).to.include({
      isQuiet: false,
      untilMs: at('2026-07-01T22:00:00Z'),
    })
    // of one night a week, a week ahead
    expect(quietAt(at('2026-07-04T12:00:00Z'), { ...night, days: ['fri'] }, 'UTC').untilMs).to.equal(
      at('2026-07-10T22:00:00Z'),
    )
  })

  it('of a zone that this machine does not know are an error, not a guess', () => {
    for (const zone of ['MSK', 'Mars/Olympus', ''])
      expect(() => quietUntil(0, { from: '22:00', to: '08:00' }, zone)).to.throw(RangeError)
  })

  it('end where a walk minute by minute ends, in every zone, at random in three years', () => {
    const random = seeded(20_261_122)
    const firstMs = at('2025-01-01T00:00:00Z')
    const zones = Intl.supportedValuesOf('timeZone')
    expect(zones.length).to.be.above(400)
    for (const zone of zones) {
      const changes = changesOf(zone, firstMs, firstMs + 3 * 365 * dayMs)
      for (let sample = 0; sample < 16; sample += 1) {
        const change = changes[Math.floor(random() * changes.length)]
        // every other one about a change of the clocks, where the zone has any
        const nowMs =
          change !== undefined && sample % 2 === 0
            ? change + Math.floor((random() - 0.5) * dayMs)
            : firstMs + Math.floor(random() * 3 * 365 * dayMs)
        const span = randomSpan(random)
        const expected = walk(nowMs, span, zone)
        const what = `${zone} ${new Date(nowMs).toISOString()} ${JSON.stringify(span)}`
        expect(quietUntil(nowMs, span, zone), what).to.equal(expected)
        const now = quietAt(nowMs, span, zone)
        if (!now.isQuiet && Number.isFinite(now.untilMs)) {
          const shown = clockIn(zone)
          expect(isQuiet(shown(now.untilMs), span), `${what}: begins`).to.equal(true)
          expect(isQuiet(shown(now.untilMs - 1), span), `${what}: not before`).to.equal(false)
        }
      }
    }
  })
})

/** Moments in the days of which the clocks are changed. */
function changesOf(zone: string, fromMs: number, toMs: number): number[] {
  const shown = clockIn(zone)
  const found: number[] = []
  let before = shown(fromMs).clock
  for (let day = fromMs + dayMs; day < toMs; day += dayMs) {
    const { clock } = shown(day)
    if (clock !== before) found.push(day - dayMs / 2)
    before = clock
  }
  return found
}

/** A window of any length up to 20 h, mostly at half hours; now and then on some days only. */
function randomSpan(random: () => number): QuietSpan {
  const step = random() < 0.7 ? 30 : 1
  const first = Math.floor((random() * 1440) / step) * step
  const length = Math.floor((random() * 1201) / step) * step
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const span = { from: clock(first), to: clock(first + length) }
  return random() < 0.2 ? { ...span, days: weekdays.filter(() => random() < 0.5) } : span
}

/** The same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
