import { plan as planShape, type WaveCause } from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Decision } from '../src/decide.ts'
import { createPlanCount, type Foreseen, type Outlook, outlookOf } from '../src/plan.ts'

const asOf = Date.parse('2026-09-01T20:00:00Z')
const hour = 3_600_000
const expires = asOf + 24 * hour
const send: Decision = { kind: 'send' }
const hold = (hours: number, cause: WaveCause = 'quiet'): Decision => ({
  kind: 'hold',
  untilMs: asOf + hours * hour,
  cause,
})
const noContact: Decision = { kind: 'settle', state: 'no-contact' }
const typeOff: Decision = { kind: 'settle', state: 'suppressed', reason: 'type-off' }
const blocked: Decision = { kind: 'settle', state: 'failed', reason: 'blocked' }

const later = (hours: number, cause: WaveCause = 'quiet'): Outlook => ({
  kind: 'later',
  atMs: asOf + hours * hour,
  cause,
})
const never = (why: Extract<Outlook, { kind: 'never' }>['why']): Outlook => ({ kind: 'never', why })

describe('rules: what a message comes to for one person', () => {
  const table: [what: string, decisions: Foreseen[], outlook: Outlook][] = [
    ['on no channel', [], never('no-contact')],
    ['now on one channel is now', [noContact, hold(1), send, blocked], { kind: 'now' }],
    ['the earliest of what waits', [hold(9), noContact, hold(3, 'capped'), hold(5)], later(3, 'capped')],
    ['later is nearer than never', [typeOff, hold(9)], later(9)],
    ['never, by what came nearest', [noContact, blocked, typeOff], never('type-off')],
    ['never for want of a contact', [noContact, noContact], never('no-contact')],
    ['held until it expires', [hold(24)], never('expired')],
    [
      'held until a millisecond before it expires',
      [{ kind: 'hold', untilMs: expires - 1, cause: 'quiet' }],
      { kind: 'later', atMs: expires - 1, cause: 'quiet' },
    ],
    [
      'at some time after their quiet hours',
      [{ ...hold(9), lastMs: asOf + 9 * hour + 120_000 } as Foreseen],
      { kind: 'later', atMs: asOf + 9 * hour, lastMs: asOf + 9 * hour + 120_000, cause: 'quiet' },
    ],
    ['held by a cap until it expires', [hold(30, 'capped')], never('expired')],
  ]
  for (const [what, decisions, outlook] of table) {
    it(what, () => expect(outlookOf(decisions, expires)).to.deep.equal(outlook))
  }
})

describe('rules: who is sent a message when', () => {
  const planOf = (outlooks: readonly Outlook[], size = outlooks.length) => {
    const count = createPlanCount()
    for (const outlook of outlooks) count.add(outlook)
    return count.plan(asOf, size)
  }

  it('counts people by time and cause, in the order of the times, and the reasons by how many they are', () => {
    const view = planOf([
      later(12),
      { kind: 'now' },
      later(10),
      never('no-contact'),
      later(12),
      never('type-off'),
      never('type-off'),
    ])
    expect(view).to.deep.equal({
      asOf: '2026-09-01T20:00:00.000Z',
      now: 1,
      later: [
        { at: '2026-09-02T06:00:00.000Z', people: 1, cause: 'quiet' },
        { at: '2026-09-02T08:00:00.000Z', people: 2, cause: 'quiet' },
      ],
      never: [
        { people: 2, why: 'type-off' },
        { people: 1, why: 'no-contact' },
      ],
    })
  })

  it('says the end of a time that takes a while, the latest of all who wait from then on', () => {
    const spread = (minutes: number): Outlook => ({
      kind: 'later',
      atMs: asOf + hour,
      lastMs: asOf + hour + minutes * 60_000,
      cause: 'quiet',
    })
    const at = '2026-09-01T21:00:00.000Z'
    expect(planOf([spread(2), spread(5), later(1), later(1, 'exam')]).later).to.deep.equal([
      { at, until: '2026-09-01T21:05:00.000Z', people: 3, cause: 'quiet' },
      { at, people: 1, cause: 'exam' },
    ])
    expect(planOf([spread(0)]).later).to.deep.equal([{ at, people: 1, cause: 'quiet' }])
  })

  const outlook: fc.Arbitrary<Outlook> = fc.oneof(
    fc.constant<Outlook>({ kind: 'now' }),
    fc
      .record({
        kind: fc.constant('later' as const),
        atMs: fc.integer({ min: asOf, max: asOf + 400 * 24 * hour }),
        cause: fc.constantFrom<WaveCause>('quiet', 'capped', 'too-soon'),
        minutes: fc.nat(60),
      })
      .map(({ minutes, ...held }) => (minutes > 0 ? { ...held, lastMs: held.atMs + minutes * 60_000 } : held)),
    fc.record({ kind: fc.constant('never' as const), why: fc.constantFrom('no-contact', 'quiet', 'capped') }),
  )

  it('is short however many times there are, never says a time that is too late, and counts everyone once', () => {
    fc.assert(
      fc.property(fc.array(outlook, { minLength: 1, maxLength: 200 }), fc.nat(1_000_000), (outlooks, more) => {
        const size = outlooks.length + more
        const view = planOf(outlooks, size)
        expect(planShape.parse(view)).to.deep.equal(view)
        expect(view.later.length).to.be.at.most(45)
        const sum = [...view.later, ...view.never].reduce((all, { people }) => all + people, view.now)
        expect(sum).to.equal(size)
        expect(view.sample).to.equal(more === 0 ? undefined : outlooks.length)
        for (const cause of ['quiet', 'capped', 'too-soon'] as const) {
          const told = view.later
            .filter((each) => each.cause === cause)
            .flatMap(({ at, people, until = at }) =>
              new Array(more === 0 ? people : 0).fill([at, until].map((each) => Date.parse(each))),
            )
          const meant = outlooks
            .flatMap((each) =>
              each.kind === 'later' && each.cause === cause ? [[each.atMs, each.lastMs ?? each.atMs]] : [],
            )
            .sort(([a = 0], [b = 0]) => a - b)
          for (const [index, [at, until]] of told.entries()) {
            const [atMs = 0, lastMs = 0] = meant[index] ?? []
            expect(at).to.be.within(asOf, atMs)
            expect(until).to.be.at.least(lastMs)
          }
        }
      }),
    )
  })
})
