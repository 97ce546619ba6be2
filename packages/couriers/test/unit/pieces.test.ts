import type { WaveCause } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { piecesOf } from '../../src/engine/jobs/pieces.ts'
import type { Held } from '../../src/engine/jobs/recipients.ts'
import { claim } from './claims.ts'

const held = (ordinal: number, cause: WaveCause, untilMs: number) =>
  ({ recipient: { ordinal }, cause, untilMs }) as unknown as Held

describe('pieces of later waves', () => {
  it('of one cause are one, due when the first of them is; a failed try backs off and is counted', () => {
    const all = [held(7, 'throttled', 90_000), held(2, 'throttled', 60_000)]
    expect(piecesOf(claim(9, { tries: 1 }), all, { nowMs: 1000, version: 3 })).to.deep.equal([
      { cause: 'throttled', delayMs: 59_000, from: 2, to: 8, tries: 2, people: 2 },
    ])
    expect(
      piecesOf(claim(9, { tries: 3 }), [held(2, 'throttled', 0)], { nowMs: 1000, version: 3 })[0]?.delayMs,
    ).to.equal(16_000)
  })

  it('of several causes share no ordinal: two claims may not be for the same recipient', () => {
    const all = [held(0, 'throttled', 5000), held(1, 'handed-back', 0), held(3, 'throttled', 5000)]
    const pieces = piecesOf(claim(4), all, { nowMs: 0, version: 3 })
    expect(pieces.map(({ cause, from, to }) => [cause, from, to])).to.deep.equal([
      ['throttled', 0, 1],
      ['handed-back', 1, 2],
      ['throttled', 3, 4],
    ])
  })

  it('of people in many zones are each due at their own time, while that costs little', () => {
    const night = [3_600_000, 7_200_000, 3_600_000, 7_200_000]
    const all = night.map((untilMs, ordinal) => held(ordinal, 'quiet', untilMs))
    const at = { nowMs: 0, redisAheadMs: 1e12, version: 3 }
    expect(
      piecesOf(claim(4), all, { ...at, size: 1000 }).map(({ dueMs, from, to }) => [dueMs, from, to]),
    ).to.deep.equal([
      [1e12 + 3_600_000, 0, 1],
      [1e12 + 7_200_000, 1, 2],
      [1e12 + 3_600_000, 2, 3],
      [1e12 + 7_200_000, 3, 4],
    ])
    expect(piecesOf(claim(4), all, { ...at, size: 1001 }), 'one, due with the first').to.deep.equal([
      { cause: 'quiet', dueMs: 1e12 + 3_600_000, from: 0, to: 4, tries: 0, people: 4, version: 3 },
    ])
    const few = Array.from({ length: 50 }, (_unused, ordinal) => held(ordinal, 'quiet', ordinal < 25 ? 1 : 2))
    expect(piecesOf(claim(50), few, { ...at, size: 1e6 }), 'a byte a person').to.have.length(2)
  })

  it('of a hold are neither backed off nor counted as tries', () => {
    expect(piecesOf(claim(4, { tries: 2 }), [held(1, 'handed-back', 0)], { nowMs: 0, version: 3 })).to.deep.equal([
      { cause: 'handed-back', delayMs: 0, from: 1, to: 2, tries: 2, people: 1 },
    ])
  })
})
