import { fleetSettings, type MessageType } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { decide } from '../src/decide.ts'
import { createQuietClock, maxQuietJitterMs, quietJitterMs, quietPolicyOf, quietSpanOf } from '../src/quiet-policy.ts'

const night = { from: '22:00', to: '08:00' }
const type = (id: string, number: number, quiet: MessageType['quiet']): MessageType => ({
  id,
  number,
  name: { ru: id, en: id },
  level: 3,
  optOut: 'allowed',
  caps: [],
  quiet,
  senders: [],
})
const settings = fleetSettings.parse({ quiet: night, types: [type('alarms', 7, 'ignore'), type('news', 8, 'respect')] })
const own = { from: '20:00', to: '10:00' }

describe('rules: which quiet hours hold', () => {
  const spanOf = (
    message: Parameters<typeof quietPolicyOf>[0],
    wished?: Parameters<typeof quietSpanOf>[1],
    of = settings,
  ) => quietSpanOf(quietPolicyOf(message, of), wished)

  it("the fleet's, and in their place a person's own, or none", () => {
    for (const message of [
      { class: 'normal' },
      { class: 'bulk', type: 'news' },
      { class: 'normal', type: 'gone' },
    ] as const) {
      expect(spanOf(message)).to.deep.equal(night)
      expect(spanOf(message, own)).to.deep.equal(own)
      expect(spanOf(message, 'never')).to.equal(undefined)
    }
  })

  it('of a type that ignores them, or a message that does, only a person’s own', () => {
    for (const message of [
      { class: 'normal', type: 'alarms' },
      { class: 'normal', type: 'news', quiet: 'ignore' },
    ] as const) {
      expect(spanOf(message)).to.equal(undefined)
      expect(spanOf(message, own)).to.deep.equal(own)
    }
    expect(spanOf({ class: 'normal', type: 'alarms', quiet: 'respect' }), 'the message heeds them').to.deep.equal(night)
  })

  it('none for what is urgent, nor for the words of the fleet itself', () => {
    for (const message of [
      { class: 'urgent', quiet: 'respect' },
      { class: 'normal', type: 'service' },
    ] as const) {
      expect(spanOf(message)).to.equal(undefined)
      expect(spanOf(message, own)).to.equal(undefined)
    }
  })

  it('none until somebody sets them', () => {
    const unset = fleetSettings.parse({})
    expect(spanOf({ class: 'normal' }, undefined, unset)).to.equal(undefined)
    expect(spanOf({ class: 'normal' }, own, unset)).to.deep.equal(own)
  })

  it('by the clock of the fleet where the zone is not one this machine knows', () => {
    const clock = createQuietClock('Asia/Omsk')
    const at = Date.parse('2026-07-01T20:00:00Z')
    const ends = (zone?: string) => new Date(clock.at(at, night, zone).untilMs).toISOString()
    expect(ends('Europe/Moscow')).to.equal('2026-07-02T05:00:00.000Z')
    for (const zone of ['MSK!', '+03:00', '', undefined]) expect(ends(zone), zone).to.equal('2026-07-02T02:00:00.000Z')
    expect(clock.zoneOf('+03:00')).to.equal('Asia/Omsk')
  })

  it('anew once they have ended', () => {
    const clock = createQuietClock('UTC')
    const evening = Date.parse('2026-07-01T21:59:59.999Z')
    expect(clock.at(evening, night, 'UTC').isQuiet).to.equal(false)
    expect(clock.at(evening + 1, night, 'UTC')).to.include({
      isQuiet: true,
      untilMs: Date.parse('2026-07-02T08:00:00Z'),
    })
    expect(clock.at(evening, night, 'UTC').isQuiet, 'the clock went back').to.equal(false)
  })

  it('spreads the messages of a morning over whole minutes, each the same at every try', () => {
    const minutes = Array.from(
      { length: 300 },
      (_unused, index) => quietJitterMs(`dean:${index}`, 'Europe/Moscow', 2) / 60_000,
    )
    for (const minute of [0, 1, 2]) expect(minutes.filter((each) => each === minute).length).to.be.within(60, 140)
    expect(new Set(minutes).size).to.equal(3)
    expect(quietJitterMs('dean:7', 'Europe/Moscow', 2)).to.equal(quietJitterMs('dean:7', 'Europe/Moscow', 2))
    expect(quietJitterMs('dean:7', 'Europe/Moscow', 0)).to.equal(0)
  })

  it('foresees the latest time of a morning that any message is decided to have, whenever it expires', () => {
    const now = Date.parse('2026-07-01T23:00:00Z')
    const untilMs = Date.parse('2026-07-02T08:00:00Z')
    const contact = { state: 'active' } as const
    for (const jitterMinutes of [0, 1, 2, 60]) {
      for (const expiresMs of [1, 59_999, 60_000, 60_001, 120_000, 120_001, 3_600_000, 86_400_000].map(
        (ms) => untilMs + ms,
      )) {
        const decided = Array.from({ length: jitterMinutes + 1 }, (_unused, minute) =>
          decide(
            { receipt: 'pending', contact, quiet: { untilMs, jitterMs: minute * 60_000 } },
            { foldsResends: true, maxWaitMs: 0, maxTries: 1, switches: [], expiresMs },
            now,
          ),
        )
        const latest = Math.max(...decided.map((each) => (each.kind === 'hold' ? each.untilMs : 0)))
        expect(untilMs + maxQuietJitterMs(untilMs, jitterMinutes, expiresMs)).to.equal(latest)
      }
    }
  })
})
