/** The list of everyone begins with whom a message did not reach, and names everybody once. */
import { expect } from 'chai'
import { missedFirst } from '../src/missed-first.ts'

describe('the order of everyone of a message', () => {
  const listed = (size: number, missed: readonly number[]) =>
    Array.from({ length: size }, (_unused, place) => missedFirst(missed)(place))

  it('begins with those who were not reached, and goes on by ordinal', () => {
    expect(listed(7, [5, 2])).to.deep.equal([5, 2, 0, 1, 3, 4, 6])
    expect(listed(4, [0, 1])).to.deep.equal([0, 1, 2, 3])
    expect(listed(3, [])).to.deep.equal([0, 1, 2])
    expect(listed(3, [2, 1, 0])).to.deep.equal([2, 1, 0])
  })
})
