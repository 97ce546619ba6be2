import { expect } from 'chai'
import { durationOf } from '../src/index.ts'

const none = { ahead: 0 }

describe('how long the last one takes', () => {
  it('is not known where nothing was sent and there is no rate', () => {
    expect(durationOf({ people: 10, ...none }, [])).to.equal(undefined)
    expect(durationOf({ people: 10, ...none }, [{ people: 0, tookMs: 50 }])).to.equal(undefined)
  })

  it('is next to nothing for nobody', () => {
    expect(durationOf({ people: 0, ahead: 1000 }, [])).to.deep.equal({ leastMs: 0, mostMs: 5000 })
  })

  it('goes by the allowed rate where nothing was sent', () => {
    const eachMs = { least: 10, most: 20 }
    expect(durationOf({ people: 101, ahead: 99, eachMs }, [])).to.deep.equal({ leastMs: 500, mostMs: 13_000 })
  })

  it('goes by the rate that holds now, however fast others went before it was lowered', () => {
    const lowered = { least: 1000, most: 1000 }
    const found = durationOf({ people: 100, ...none, eachMs: lowered }, [{ people: 100, tookMs: 1000 }])
    expect(found).to.deep.equal({ leastMs: 49_500, mostMs: 205_000 })
  })

  it('has whoever waits before them in its end alone', () => {
    const ended = [{ people: 100, tookMs: 1000 }]
    expect(durationOf({ people: 100, ahead: 0 }, ended)).to.deep.equal({ leastMs: 500, mostMs: 7000 })
    expect(durationOf({ people: 100, ahead: 900 }, ended)).to.deep.equal({ leastMs: 500, mostMs: 25_000 })
  })

  it('compares with the sixteen that are most like it in size', () => {
    const like = Array.from({ length: 16 }, () => ({ people: 100, tookMs: 1000 }))
    const others = [
      { people: 1, tookMs: 100_000 },
      { people: 10_000, tookMs: 1 },
    ]
    expect(durationOf({ people: 100, ...none }, [...others, ...like])).to.deep.equal({ leastMs: 500, mostMs: 7000 })
  })

  it('holds for every fleet that takes some time for a message and some for each person, up to twice as slow or as fast', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const sized = () => Math.ceil(10 ** (random() * 4))
    for (let round = 0; round < 2000; round += 1) {
      const [baseMs, eachMs] = [random() * 500, random() * 50]
      const took = (people: number) => baseMs + eachMs * people
      const ended = Array.from({ length: 1 + Math.floor(random() * 30) }, () => {
        const people = sized()
        return { people, tookMs: took(people) }
      })
      const [people, ahead] = [sized(), random() < 0.5 ? 0 : sized()]
      const found = durationOf({ people, ahead }, ended)
      const before = Math.floor(random() * (ahead + 1))
      const real = (baseMs + eachMs * (people + before)) * (0.5 + random() * 1.5)
      expect(real, JSON.stringify({ people, ahead, found })).to.be.within(found?.leastMs ?? 0, found?.mostMs ?? 0)
    }
  })
})
