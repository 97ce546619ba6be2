import type { View } from '@courier-fleet/store'
import { randomNumbers } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { applyDiff, diffOf, viewFrom } from '../src/diff.ts'

/** Edits as they come: numbers from a seed, so that what fails can be seen again. */
function edits(seed: number): () => View {
  const random = randomNumbers(seed)
  const next = (below: number) => Math.floor(random() * below)
  const values = [0, 1, '', 'a', [], ['a'], { a: 1 }, { a: { b: [1, 2] } }, false]
  const fields = ['name', 'size', 'owners', '__proto__', 'toString']
  return () => {
    const entries = fields.filter(() => next(3) > 0).map((field) => [field, values[next(values.length)]] as const)
    return Object.fromEntries(entries)
  }
}

describe('the diff of two views', () => {
  it('has what changed and nothing else, new and old', () => {
    const before = { id: 'choir', name: 'Choir', owners: ['anna'], size: 3 }
    expect(diffOf(before, { id: 'choir', name: 'The choir', owners: ['anna'], size: 3 })).to.deep.equal({
      name: { '+++': 'The choir', '---': 'Choir' },
    })
    expect(diffOf(before, { ...before })).to.deep.equal({})
  })

  it('of the first view has every field from nothing, and of what is gone every field to nothing', () => {
    const view = { id: 'choir', size: 0 }
    expect(diffOf(undefined, view)).to.deep.equal({
      id: { '+++': 'choir', '---': null },
      size: { '+++': 0, '---': null },
    })
    expect(diffOf(view)).to.deep.equal({ id: { '+++': null, '---': 'choir' }, size: { '+++': null, '---': 0 } })
  })

  it('does not mind in what order an object has its fields', () => {
    expect(diffOf({ channels: { sms: 1, vk: 2 } }, { channels: { vk: 2, sms: 1 } })).to.deep.equal({})
  })

  it('applied in order, all of them make the view that there is, whatever was edited', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const edit = edits(seed)
      let [told, received]: [View | undefined, View] = [undefined, {}]
      for (let step = 0; step < 20; step += 1) {
        const now = edit()
        // as it travels
        received = applyDiff(received, JSON.parse(JSON.stringify(diffOf(told, now))))
        told = now
        expect(received, `seed ${seed}, step ${step}`).to.deep.equal(now)
      }
      expect(applyDiff(received, diffOf(told)), `seed ${seed}, gone`).to.deep.equal({})
    }
  })

  it('knows no null: what is undefined or null in a view is not there', () => {
    expect(viewFrom({ a: null, b: undefined, c: 0, d: { e: null } })).to.deep.equal({ c: 0, d: { e: null } })
  })
})
