import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { recountCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('npm run recount', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  it('says whether the counters agree, and which do not', async () => {
    const { history } = await fleet.client.sendAndWait({ to: ['group:own'], text: 'Hello' }, 20)
    const balanced = await fleet.run(recountCommand, [history.key])
    expect([balanced.code, balanced.out]).to.match(/0,.*telegram: balanced/)
    const ref = parseHistoryKey(history.key)
    await fleet.fixture.redis.hset(keys.history(ref), 'vk:s', '2')
    const wrong = await fleet.run(recountCommand, [history.key])
    expect(wrong.out).to.contain('vk: NOT BALANCED: pending -1, counted 0; sent 2, counted 1')
    expect(wrong.code).to.equal(1)
    expect((await fleet.run(recountCommand, [])).code).to.equal(2)
    expect((await fleet.run(recountCommand, ['nonsense'])).err).to.match(/^recount: .*not a history key/)
  })
})
