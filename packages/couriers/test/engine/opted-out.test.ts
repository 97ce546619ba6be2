import { expect } from 'chai'
import { rehearsedCourier } from './rehearsed-courier.ts'
import { type Stage, setStage } from './stage.ts'

describe('engine: people who said STOP', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.stop())

  it('are not written to, and named with the reason, until they say START', async () => {
    const courier = rehearsedCourier()
    await stage.run(courier)
    const people = await stage.people(2)
    await stage.directory.setConsent('vk', 'p00000', false)
    // a provider's word that comes late must not undo it
    await stage.directory.markContact('vk', 'p00000', '1001', 'blocked', '901: blocked')

    const ref = await stage.put(people)
    const history = await stage.settled(ref)
    expect(history.channels.vk).to.include({ sent: 1, suppressed: 1, failed: 0, 'no-contact': 0 })
    expect(history.people).to.deep.equal({ reached: 1, unreached: 1, withoutContact: 0 })
    const rows = await stage.receipts(ref)
    expect(rows[0]?.channels.vk).to.deep.equal({ state: 'suppressed', reason: 'opted out' })
    const recounted = await stage.histories.recount(ref)
    expect(recounted.every(({ balanced }) => balanced)).to.equal(true)

    await stage.directory.setConsent('vk', 'p00000', true)
    expect((await stage.settled(await stage.put(people))).channels.vk).to.include({ sent: 2, suppressed: 0 })
    expect(courier.handed.map(({ address }) => address)).to.deep.equal(['1002', '1001', '1002'])
  })
})
