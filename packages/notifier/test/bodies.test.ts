import { type Told, toldWithout, type View } from '@courier-fleet/store'
import { applyDiff, type Subscription } from '@courier-fleet/subscriptions'
import { expect } from 'chai'
import fc from 'fast-check'
import { bodyOf } from '../src/bodies.ts'

const subscription = { id: 's', owner: 'root', resource: 'person' } as Subscription
const anna = { resource: 'anna', sequence: 0 }
const read = { role: 'operator', nowMs: 0 } as const
const value = fc.constantFrom('x', 'y')
const view: fc.Arbitrary<View | undefined> = fc.option(
  fc.record({ a: value, b: value, c: value }, { requiredKeys: ['a'] }),
  { nil: undefined },
)
/** What there is at a look, and what becomes of the body: taken; or given up, after it was taken or before it was sent. */
const looks = fc.array(fc.record({ now: view, fate: fc.constantFrom('taken', 'given up', 'never sent') }), {
  maxLength: 8,
})

describe('the body of a change', () => {
  it('leaves a receiver with what there is, whatever of those before was given up, and whether that had come or not', () => {
    fc.assert(
      fc.property(looks, view, (before, last) => {
        let told: Told | undefined
        let received: View = {}
        for (const { now, fate } of [...before, { now: last, fate: 'taken' }]) {
          const sending = bodyOf(subscription, { ...anna, told }, now, read)
          if (!sending) continue
          if (fate !== 'never sent') received = applyDiff(received, JSON.parse(sending.body).diff)
          if (fate === 'taken') told = { sequence: sending.sequence, atMs: 0, view: sending.after }
          else told = toldWithout(sending, told, 0)
        }
        expect(received).to.deep.equal(last ?? {})
      }),
      { numRuns: 2_000 },
    )
  })

  it('says what it was only of what they are known to have', () => {
    const first = bodyOf(subscription, { ...anna, told: undefined }, { a: 'x', c: 'x' }, read)
    const told: Told = { sequence: 1, atMs: 0, view: first?.after ?? null }
    const given = bodyOf(subscription, { ...anna, told }, { a: 'y', b: 'y' }, read)
    const without = given && toldWithout(given, told, 0)
    const next = bodyOf(subscription, { ...anna, told: without }, { a: 'x' }, read)
    expect(JSON.parse(next?.body ?? '').diff).to.deep.equal({
      a: { '+++': 'x', '---': 'x' },
      b: { '+++': null, '---': null },
      c: { '+++': null, '---': 'x' },
    })
    expect(next?.sequence).to.equal(3)
  })
})
