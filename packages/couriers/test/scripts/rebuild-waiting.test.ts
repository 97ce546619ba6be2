/** How many people wait for each channel is a sum that each script moves: where it is lost, it is counted anew. */
import { keys, rebuildStep } from '@courier-fleet/store'
import { expect } from 'chai'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  shard,
  wakeDue,
} from './claim-fixture.ts'

describe('lua: rebuild-waiting', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const counted = () => fixture.redis.hgetall(keys.waiting(shard))
  const rebuild = async () => (await rebuildStep(fixture.redis, 1)).indexes

  it('counts those of running messages of whom nothing is told, and leaves alone what is right', async () => {
    const { scripts, streams } = await fixture.process()
    await fixture.put(5, { channels: ['vk'] })
    await wakeDue(fixture)
    const claim = await claimWork(streams)
    await record(scripts, claim, Buffer.from('aa\0\0\0'), noEvidence, false)
    await record(scripts, claim, Buffer.from('ss\0\0\0'), noEvidence, false)
    await fixture.put(3, { channels: ['vk'] })
    await wakeDue(fixture)
    const right = await counted()
    expect(right).to.deep.equal({ vk: '6' })
    expect(await rebuild()).to.equal(0)
    expect(await counted()).to.deep.equal(right)

    await fixture.redis.unlink(keys.waiting(shard))
    expect(await rebuild()).to.equal(1)
    expect(await counted()).to.deep.equal(right)
    await fixture.redis.hset(keys.waiting(shard), { vk: '-2', other: '7' })
    expect(await rebuild()).to.equal(2)
    expect(await counted()).to.deep.equal(right)
  })
})
