import type { WaveCause } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { piecesOf } from '../../src/pieces.ts'
import type { Held } from '../../src/recipients.ts'
import { claim } from './claims.ts'

const held = (ordinal: number, cause: WaveCause, untilMs: number) =>
  ({ recipient: { ordinal }, cause, untilMs }) as unknown as Held

describe('pieces of later waves', () => {
  it('of one cause are one, due when the first of them is; a failed try backs off and is counted', () => {
    const all = [held(7, 'throttled', 90_000), held(2, 'throttled', 60_000)]
    expect(piecesOf(claim(9, { tries: 1 }), all, 1000)).to.deep.equal([
      { cause: 'throttled', delayMs: 59_000, from: 2, to: 8, tries: 2, people: 2 },
    ])
    expect(piecesOf(claim(9, { tries: 3 }), [held(2, 'throttled', 0)], 1000)[0]?.delayMs).to.equal(16_000)
  })

  it('of several causes share no ordinal: two claims may not be for the same recipient', () => {
    const all = [held(0, 'throttled', 5000), held(1, 'handed-back', 0), held(3, 'throttled', 5000)]
    const pieces = piecesOf(claim(4), all, 0)
    expect(pieces.map(({ cause, from, to }) => [cause, from, to])).to.deep.equal([
      ['throttled', 0, 1],
      ['handed-back', 1, 2],
      ['throttled', 3, 4],
    ])
  })

  it('of a hold are neither backed off nor counted as tries', () => {
    expect(piecesOf(claim(4, { tries: 2 }), [held(1, 'handed-back', 0)], 0)).to.deep.equal([
      { cause: 'handed-back', delayMs: 0, from: 1, to: 2, tries: 2, people: 1 },
    ])
  })
})
