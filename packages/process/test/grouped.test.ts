import { grouped } from '@courier-fleet/process'
import { expect } from 'chai'

describe('grouped', () => {
  const groupsOf = (names: readonly (string | undefined)[]) =>
    [...grouped(names.keys(), (index) => names[index])].map(([name, indexes]) => [name, ...indexes])

  it('puts together what has the same name, neighbours or not, in the order in which it came', () => {
    expect(groupsOf(['a', 'a', 'b', 'a', 'b'])).to.deep.equal([
      ['a', 0, 1, 3],
      ['b', 2, 4],
    ])
  })

  it('has a group of what has no name, at the beginning, too', () => {
    expect(groupsOf([undefined, undefined, 'a', undefined])).to.deep.equal([
      [undefined, 0, 1, 3],
      ['a', 2],
    ])
  })
})
