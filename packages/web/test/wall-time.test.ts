/** Wall times of a zone and back, also where clocks are put forward and back. */
import { expect } from 'chai'
import fc from 'fast-check'
import { instantOf, wallTimeOf } from '../src/wall-time.ts'

describe('wall times', () => {
  it('are read in the zone of the person', () => {
    expect(instantOf('Europe/Moscow', '2026-09-01T08:30')).to.equal('2026-09-01T08:30:00+03:00')
    expect(instantOf('Asia/Novosibirsk', '2026-09-01T08:30')).to.equal('2026-09-01T08:30:00+07:00')
    expect(instantOf('Asia/Kolkata', '2026-01-01T00:15')).to.equal('2026-01-01T00:15:00+05:30')
    expect(instantOf('America/St_Johns', '2026-01-01T00:15')).to.equal('2026-01-01T00:15:00-03:30')
  })

  it('come again as they were, at any time in any zone', () => {
    const zones = fc.constantFrom('Europe/Moscow', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC')
    const days = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(zones, days, (zone, date) => {
        const wall = wallTimeOf(zone, date.getTime())
        expect(wallTimeOf(zone, Date.parse(instantOf(zone, wall) as string))).to.equal(wall)
      }),
    )
  })

  it('that come twice are the first, that are left out are as much later', () => {
    expect(instantOf('Europe/Berlin', '2026-10-25T02:30')).to.equal('2026-10-25T02:30:00+02:00')
    expect(instantOf('Europe/Berlin', '2026-03-29T02:30')).to.equal('2026-03-29T03:30:00+02:00')
  })

  it('are none when the field is empty or half filled', () => {
    expect(instantOf('UTC', '')).to.equal(undefined)
    expect(instantOf('UTC', '2026-13-01T10:00')).to.equal(undefined)
  })
})
