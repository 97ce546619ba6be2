import { expect } from 'chai'
import fc from 'fast-check'
import { localDays } from '../src/http/local-day.ts'
import { readRules } from '../src/limits/rules.ts'

const iso = (ms: number) => new Date(ms).toISOString()

describe('a local day', () => {
  const dayOf = (zone: string, at: string) => {
    const { start, end } = localDays(zone)(Date.parse(at))
    return [iso(start), iso(end)]
  }

  it('begins and ends at midnight of its zone', () => {
    expect(dayOf('Europe/Moscow', '2026-09-01T20:59:59.999Z')).to.deep.equal([
      '2026-08-31T21:00:00.000Z',
      '2026-09-01T21:00:00.000Z',
    ])
    expect(dayOf('Europe/Moscow', '2026-09-01T21:00:00Z')).to.deep.equal([
      '2026-09-01T21:00:00.000Z',
      '2026-09-02T21:00:00.000Z',
    ])
  })

  it('has 23 or 25 hours when clocks are changed, at midnight, too', () => {
    expect(dayOf('Europe/Berlin', '2026-03-29T12:00:00Z')).to.deep.equal([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect(dayOf('Europe/Berlin', '2026-10-25T12:00:00Z')).to.deep.equal([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
    // Beirut goes from 24:00 to 01:00: its day has no midnight
    expect(dayOf('Asia/Beirut', '2026-03-29T12:00:00Z')).to.deep.equal([
      '2026-03-28T22:00:00.000Z',
      '2026-03-29T21:00:00.000Z',
    ])
  })

  it('holds every moment, and days follow each other without a gap', () => {
    const zones = fc.constantFrom(
      'Europe/Moscow',
      'America/St_Johns',
      'Asia/Beirut',
      'Pacific/Kiritimati',
      'Africa/Cairo',
    )
    const moments = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') })
    fc.assert(
      fc.property(zones, moments, (zone, now) => {
        const dayAt = localDays(zone)
        const { start, end } = dayAt(now)
        expect(start <= now && now < end).to.equal(true)
        expect(end - start).to.be.within(22 * 3_600_000, 26 * 3_600_000)
        expect(dayAt(end).start).to.equal(end)
        expect(dayAt(start)).to.deep.equal({ start, end })
      }),
      { numRuns: 300 },
    )
  })
})

describe('the rules of those who run the fleet', () => {
  it('are the usual ones', () => {
    expect(readRules({})).to.deep.include({ timeZone: 'Europe/Moscow', quotas: { trainer: 4, staff: 16 } })
  })

  it('can be changed, and a limit taken away', () => {
    const env = {
      QUOTA_TRAINER: 'off',
      QUOTA_STAFF: '0',
      FLEET_TIME_ZONE: 'Asia/Omsk',
      TRUST_PROXY: '10.0.0.0/8, fd00::1',
    }
    expect(readRules(env)).to.deep.include({
      timeZone: 'Asia/Omsk',
      quotas: { staff: 0 },
      trustProxy: ['10.0.0.0/8', 'fd00::1'],
    })
  })

  it('are refused by name when they make no sense', () => {
    expect(() => readRules({ QUOTA_STAFF: 'many' })).to.throw(/^QUOTA_STAFF must be/)
    expect(() => readRules({ FLEET_TIME_ZONE: 'Moskau' })).to.throw(/^FLEET_TIME_ZONE must be/)
    // it knows no summer time
    expect(() => readRules({ FLEET_TIME_ZONE: '+03:00' })).to.throw(/^FLEET_TIME_ZONE must be/)
    // numbers of hops, as other servers count them, are addresses to the library behind it: 1 is 0.0.0.1
    for (const wrong of ['1', 'yes', 'true', '10.0.0.0/33', '10.0.0.0/8,', '0.0.0.0/0', '::/0', 'loopback'])
      expect(() => readRules({ TRUST_PROXY: wrong }), wrong).to.throw(
        /^TRUST_PROXY must be addresses and networks of your proxies such as 10\.0\.0\.0\/8, comma-separated$/,
      )
  })
})
