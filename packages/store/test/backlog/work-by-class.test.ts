import { expect } from 'chai'
import { readWorkByClass } from '../../src/backlog/remaining-work.ts'
import { keys } from '../../src/keys.ts'
import { createFixture, type Fixture, shards } from './fixture.ts'

describe('what waits for a channel, by class', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
    await fixture.use('vk')
  })
  afterEach(() => fixture.stop())

  const add = (cls: 'urgent' | 'bulk', id: string, to: number, shard = '07') =>
    fixture.redis.xadd(keys.work(shard, 'vk', cls), id, 'message', 'dean:a', 'from', 0, 'to', to)

  it('is pieces and people, claimed or not, and since when the first of them waits', async () => {
    expect(await readWorkByClass(fixture.redis, shards, 'vk')).to.deep.equal([])
    await add('urgent', '2000-0', 3)
    await add('bulk', '5000-0', 100)
    await add('bulk', '4000-0', 20, '03')
    await fixture.claim('vk', 0)
    expect(await readWorkByClass(fixture.redis, shards, 'vk')).to.deep.equal([
      { class: 'urgent', entries: 1, people: 3, oldestAt: 2000, isMore: false },
      { class: 'bulk', entries: 2, people: 120, oldestAt: 4000, isMore: false },
    ])
  })

  it('is read for so many pieces only, and says that there are more', async () => {
    for (let at = 0; at < 1_001; at += 1) await add('bulk', `${1000 + at}-0`, 2)
    expect(await readWorkByClass(fixture.redis, shards, 'vk')).to.deep.equal([
      { class: 'bulk', entries: 1_000, people: 2_000, oldestAt: 1000, isMore: true },
    ])
  })
})
