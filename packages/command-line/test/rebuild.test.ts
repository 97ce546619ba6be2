import { memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('fleet rebuild', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const asAdmin = (...args: string[]) =>
    fleet.run(fleetCommand, args, { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin })

  it('makes again what was lost, says how much and what it does not, and leaves alone what is there', async () => {
    const { redis } = fleet.fixture
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Much later', at })
    const ref = parseHistoryKey(key)
    await redis.unlink(keys.due(ref.shard), keys.sent(ref.shard, ref.sender))
    expect((await fleet.run(fleetCommand, ['list'])).out, 'nobody finds it').not.to.contain(key)

    const { code, out } = await asAdmin('rebuild')
    expect(code).to.equal(0)
    expect(out).to.contain(
      'Messages looked at: 1. Missing, and there again: deliveries 1, entries of work streams 0, in other indexes 1.',
    )
    expect(out).to.contain('Not made again: statistics, and events that messages hang on.')
    expect(await redis.zscore(keys.due(ref.shard), `${memberOf(ref)}:0`)).to.equal(String(Date.parse(at)))
    expect((await fleet.run(fleetCommand, ['list'])).out).to.contain(key)

    const again = await asAdmin('rebuild', '--json')
    expect(JSON.parse(again.out)).to.deep.equal({ histories: 1, due: 0, entries: 0, indexes: 0 })
  })

  it('is for administrators', async () => {
    const { code, err } = await fleet.run(fleetCommand, ['rebuild'])
    expect([code, err]).to.deep.equal([2, 'rebuild: this needs the role admin; you have the role trainer\n'])
  })
})
