import { expect } from 'chai'
import fc from 'fast-check'
import { createAudienceBuilder } from '../src/history/audience-builder.ts'
import { idsOf, packAudience } from '../src/history/packed-audience.ts'

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const inOrder = (ids: readonly string[]) => [...new Set(ids)].sort()

describe('history: the builder of an audience', () => {
  it('gives everyone once, by code unit, in whatever pieces and widths they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(id)), fc.array(fc.array(id)), fc.nat(20), async (pieces, packed, expected) => {
        const builder = createAudienceBuilder(expected)
        for (const piece of pieces) builder.add(piece)
        for (const audience of packed) builder.addPacked(packAudience(inOrder(audience)))
        const people = inOrder([...pieces, ...packed].flat())
        const found = await builder.finish()
        expect(idsOf(found)).to.deep.equal(people)
        expect(found.size).to.equal(people.length)
        expect(found.rows.length).to.equal(found.width * people.length)
      }),
    )
  })

  it('lets others have their turn while it sorts very many', async () => {
    const ids = Array.from(
      { length: 200_000 },
      (_unused, index) => `p${String((index * 77_773) % 200_000).padStart(7, '0')}`,
    )
    const builder = createAudienceBuilder(ids.length)
    builder.add(ids)
    builder.add(ids.slice(0, 1000))
    let turns = 0
    let over = false
    const count = () => {
      turns += 1
      if (!over) setImmediate(count)
    }
    setImmediate(count)
    const found = await builder.finish()
    over = true
    expect(idsOf(found)).to.deep.equal(inOrder(ids))
    expect(turns).to.be.greaterThan(10)
  })
})
