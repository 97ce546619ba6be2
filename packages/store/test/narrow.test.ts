import { expect } from 'chai'
import fc from 'fast-check'
import { narrow } from '../src/history/narrow.ts'
import { idsOf, packAudience } from '../src/history/packed-audience.ts'

const id = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), fc.stringMatching(/^[ab-]{1,3}$/))
const inOrder = (ids: readonly string[]) => [...new Set(ids)].sort()

describe('history: an audience that is narrowed', () => {
  it('keeps those who are among others, or those who are not, in order, of whatever widths', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(id), fc.array(id), fc.array(id), async (own, both, others) => {
        const people = inOrder([...own, ...both])
        const among = new Set([...both, ...others])
        const narrowed = (how: 'among' | 'except') =>
          narrow(packAudience(people), packAudience(inOrder([...among])), how)
        expect(idsOf(await narrowed('among'))).to.deep.equal(people.filter((each) => among.has(each)))
        expect(idsOf(await narrowed('except'))).to.deep.equal(people.filter((each) => !among.has(each)))
      }),
    )
  })

  it('lets others have their turn while it looks at very many', async () => {
    const people = packAudience(Array.from({ length: 300_000 }, (_, index) => `p${String(index).padStart(7, '0')}`))
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const left = await narrow(people, people, 'except')
    clearInterval(counting)
    expect([left.size, turns > 0]).to.deep.equal([0, true])
  })
})
