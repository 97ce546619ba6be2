import { expect } from 'chai'
import { type Bounds, type Had, judgeCaps, mostAt } from '../src/faults/judge-caps.ts'

const never = Number.POSITIVE_INFINITY
/** five at first, three from 1000 on (everywhere by 2000), seven from 5000 on (everywhere by 6000) */
const bounds: Bounds = {
  caps: [
    { n: 5, askedMs: 0, usedMs: 100 },
    { n: 3, askedMs: 1000, usedMs: 2000 },
    { n: 7, askedMs: 5000, usedMs: 6000 },
  ],
  slackMs: 500,
  enoughFromMs: 6000,
}
/** allowed at these times, all of which they got */
const allowedAt = (times: readonly number[], changes: Partial<Had> = {}): Had => ({
  person: 'ann',
  got: new Set(times.keys()),
  entries: times.map((atMs, message) => ({ message, atMs, contested: false })),
  unknown: new Set(),
  ...changes,
})
const asAllowed = [200, 300, 400, 5100, 6100, 6200, 6300]

describe('the judge of a rule that counts', () => {
  it('knows how many there may be at each moment, whichever rule a process still goes by', () => {
    const most = [50, 100, 999, 1000, 2499, 2500, 4999, 5000, 6000, 9000].map((atMs) => mostAt(bounds, atMs))
    expect(most).eql([never, 5, 5, 5, 5, 3, 3, 7, 7, 7])
  })

  it('is content with as many as there may be', () => {
    expect(judgeCaps(allowedAt(asAllowed), bounds)).eql([])
    expect(judgeCaps(allowedAt([200, 300, 400, 1100, 2400, 6100, 6200]), bounds)).eql([])
  })

  it('sees one too many while the number is lower, though there is room for them later', () => {
    expect(judgeCaps(allowedAt([200, 300, 400, 2600, 6100, 6200, 6300]), bounds)).eql([
      'caps: ann was allowed message 3 as number 4, when there were 3 at most',
    ])
  })

  it('sees one too many in the end, whether or not it counts', () => {
    const tooMany = 'caps: ann got 8 messages, and may have had 7'
    expect(judgeCaps(allowedAt([...asAllowed, 6400]), bounds)).eql([
      'caps: ann was allowed message 7 as number 8, when there were 7 at most',
      tooMany,
    ])
    const uncounted = allowedAt(asAllowed, { got: new Set([0, 1, 2, 3, 4, 5, 6, 9]) })
    expect(judgeCaps(uncounted, bounds)).eql(['caps: ann got message 9, which does not count', tooMany])
  })

  it('sees that the room there is from the last change on is not used, unless a count is contested or nobody knows', () => {
    const six = asAllowed.slice(1)
    const few = (doubts: number) => `caps: ann got 6 of 7; of ${doubts} more nobody knows, or they are contested`
    expect(judgeCaps(allowedAt(six), bounds)).eql([few(0)])
    expect(judgeCaps(allowedAt(six, { unknown: new Set([1]) }), bounds)).eql([few(0)])
    expect(judgeCaps(allowedAt(six, { unknown: new Set([9]) }), bounds)).eql([])
    const { entries } = allowedAt(asAllowed)
    const contested = entries.map((entry) => ({ ...entry, contested: true }))
    expect(judgeCaps(allowedAt([], { got: new Set([0, 1, 2, 3, 4, 5]), entries: contested }), bounds)).eql([])
    expect(judgeCaps(allowedAt([], { got: new Set([0, 1, 2, 3, 4, 5]), entries }), bounds)).eql([few(0)])
  })

  it('asks for no more than the least that may still be gone by, and for nothing where too little was sent', () => {
    expect(judgeCaps(allowedAt(asAllowed.slice(0, 3)), { ...bounds, enoughFromMs: 3000 })).eql([])
    expect(judgeCaps(allowedAt([200, 300]), { ...bounds, enoughFromMs: 3000 })).length(1)
    expect(judgeCaps(allowedAt([]), { ...bounds, enoughFromMs: never })).eql([])
  })

  it('allows what it may not have been known everywhere that it is forbidden', () => {
    const [first, lowered, raised] = bounds.caps as [Bounds['caps'][0], Bounds['caps'][0], Bounds['caps'][0]]
    const unheard = { ...bounds, caps: [first, { ...lowered, usedMs: never }, raised] }
    expect(judgeCaps(allowedAt([200, 300, 400, 2600, 6100, 6200, 6300]), unheard)).eql([])
    const unruled = { ...bounds, caps: [{ ...first, usedMs: never }], enoughFromMs: never }
    expect(judgeCaps(allowedAt([...asAllowed, 6400, 6500]), unruled)).eql([])
  })
})
